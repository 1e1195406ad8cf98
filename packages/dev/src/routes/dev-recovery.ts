import { ApiError, fail } from '@symbolon/api'
import type { App } from '@symbolon/server'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { fields, json, refuse } from './raw-answer.ts'

const developer = { type: 'system', id: 'dev' } as const
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Longer than the 15 s that a receiver has. */
const testLimitMs = 20_000

type ById = { Params: { id: string } }

/**
 * Adds what the portal will do for recovery, below `/dev/organizations/{id}`: the recovery mode, and the webhook with its
 * secret. Answers are raw JSON; refusals are `{error}` with the status of the cause.
 */
export function devRecoveryRoutes(
  app: FastifyInstance,
  { webhooks, recoveryMode }: Pick<App, 'webhooks' | 'recoveryMode'>,
): void {
  app.patch<ById>('/dev/organizations/:id', ({ params, body }, reply) =>
    answer(reply, params.id, async (id) => {
      const { recovery_mode: mode } = fields(body)
      if (mode !== 'service_managed' && mode !== 'customer_managed')
        return refuse(reply, 'recovery_mode is service_managed or customer_managed')
      await recoveryMode.set(id, mode, developer, fail)
      return json(reply, { id, recovery_mode: mode })
    }),
  )

  app.put<ById>('/dev/organizations/:id/webhook', ({ params, body }, reply) =>
    answer(reply, params.id, async (id) => {
      const { url, encryption_key: key } = fields(body)
      if (typeof url !== 'string') return refuse(reply, 'url is a text')
      if (key !== undefined && (typeof key !== 'object' || key === null))
        return refuse(reply, 'encryption_key is a JWK')
      const input = { url, ...(key !== undefined && { encryptionKey: fields(key) }) }
      const { signingSecret } = await webhooks.put(id, input, developer, fail)
      return json(reply, { url, ...(signingSecret !== undefined && { signing_secret: signingSecret }) })
    }),
  )

  app.delete<ById>('/dev/organizations/:id/webhook', ({ params }, reply) =>
    answer(reply, params.id, async (id) => {
      await webhooks.remove(id, developer, fail)
      return reply.code(204).send()
    }),
  )

  app.post<ById>('/dev/organizations/:id/webhook/rotate-secret', ({ params }, reply) =>
    answer(reply, params.id, async (id) => {
      const { signingSecret } = await webhooks.rotateSecret(id, developer, fail)
      return json(reply, { signing_secret: signingSecret })
    }),
  )

  app.post<ById>(
    '/dev/organizations/:id/webhook/test',
    { config: { answerLimitMs: testLimitMs } },
    ({ params }, reply) => answer(reply, params.id, async (id) => json(reply, await webhooks.test(id, fail))),
  )
}

async function answer(
  reply: FastifyReply,
  id: string,
  handle: (id: string) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  if (!uuid.test(id)) return refuse(reply, 'There is no such organization.', 404)
  try {
    return await handle(id)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const { details } = error as { details?: { issues?: { path: string[]; message: string }[] } }
    const issue = details?.issues?.[0]
    return refuse(reply, issue ? `${issue.path.join('.')}: ${issue.message}` : error.message, error.status)
  }
}
