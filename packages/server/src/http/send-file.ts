import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BuiltFile } from '../ports/built-assets.ts'

/** Answers a built file, compressed where the client takes it, or that it has not changed. Caching is the caller's to say. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  const etag = `W/"${file.integrity}"`
  reply.header('etag', etag).header('x-content-type-options', 'nosniff').header('vary', 'accept-encoding')
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim())
  if (known.includes(etag)) return reply.code(304).send()
  reply.type(file.type)
  const isGzipTaken = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers['accept-encoding'] ?? '',
  )
  return isGzipTaken ? reply.header('content-encoding', 'gzip').send(file.gzipped) : reply.send(file.body)
}
