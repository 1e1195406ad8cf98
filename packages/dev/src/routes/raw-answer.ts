import type { FastifyReply } from 'fastify'

/** The members of a JSON body; none if it is not an object. */
export function fields(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** Answers raw JSON, as all development routes do. */
export function json(reply: FastifyReply, body: unknown): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body))
}

/** Refuses with `{error}`, 400 unless another status says it better. */
export function refuse(reply: FastifyReply, error: string, status = 400): FastifyReply {
  return json(reply.code(status), { error })
}
