import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { openapi } from '@symbolon/api/openapi'
import type { FastifyInstance } from 'fastify'
import type { BuiltFile } from '../ports/built-assets.ts'
import { referencePage, referencePolicy } from './reference-page.ts'
import { sendFile } from './send-file.ts'

const headers = {
  'content-security-policy': referencePolicy,
  'cache-control': 'no-cache',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * Serves the API reference at `/reference`: the OpenAPI document as one page without any script, because it shares its origin with the
 * portal. It is made at the first request.
 */
export function mountReference(app: FastifyInstance): void {
  let made: BuiltFile | undefined
  app.get('/reference', (request, reply) => {
    made ??= makePage()
    return sendFile(request, reply.headers(headers), made)
  })
}

function makePage(): BuiltFile {
  const body = Buffer.from(referencePage(openapi()))
  return {
    name: 'reference.html',
    type: 'text/html; charset=utf-8',
    body,
    gzipped: gzipSync(body),
    integrity: `sha384-${createHash('sha384').update(body).digest('base64')}`,
  }
}
