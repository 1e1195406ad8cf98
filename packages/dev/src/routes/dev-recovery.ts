import { ApiError, issueWords, UpdateOrganization } from '@symbolon/api'
import { type App, orThrow, pingWebhook, removeWebhook, rotateSecret, setWebhook } from '@symbolon/server'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { fields, json, refuse } from './raw-answer.ts'

const developer = { type: 'system', id: 'dev', isOwner: true } as const
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The settings that can be tried here. */
const changeable = {
  sign_confirmation: true,
  allowed_origins: true,
  brand_color: true,
  export_enabled: true,
  high_risk_delay_seconds: true,
  receipts: true,
} as const

/** Longer than the 15 s that a receiver has. */
const testLimitMs = 20_000

type ById = { Params: { id: string } }

/**
 * Adds operations of the portal, below `/dev/organizations/{id}`: recovery mode, settings of the wallet frame, and the webhook
 * with its secret. Answers are raw JSON; refusals are `{error}` with the status of the cause.
 */
export function devRecoveryRoutes(
  app: FastifyInstance,
  { webhooks, orgs }: Pick<App, 'webhooks' | 'orgs'>,
): void {
  app.patch<ById>('/dev/organizations/:id', ({ params, body }, reply) =>
    answer(reply, params.id, async (id) => {
      const { recovery_mode: mode, ...rest } = fields(body)
      if (mode !== undefined && mode !== 'service_managed' && mode !== 'customer_managed')
        return refuse(reply, 'recovery_mode must be service_managed or customer_managed')
      const settings = UpdateOrganization.pick(changeable).strict().safeParse(rest, { error: issueWords })
      const issue = settings.error?.issues[0]
      if (issue !== undefined) return refuse(reply, `${issue.path.join('.') || 'the body'} ${issue.message}`)
      const changes = settings.data ?? {}
      if (mode === undefined && Object.keys(changes).length === 0)
        return refuse(reply, `give any of recovery_mode, ${Object.keys(changeable).join(', ')}`)
      if (mode !== undefined) orThrow(await orgs.setRecoveryMode(id, mode, developer))
      if (Object.keys(changes).length > 0) orThrow(await orgs.updateSettings(id, changes, developer))
      return json(reply, { id, ...(mode !== undefined && { recovery_mode: mode }), ...changes })
    }),
  )

  app.put<ById>('/dev/organizations/:id/webhook', ({ params, body }, reply) =>
    answer(reply, params.id, async (id) => {
      const { url, encryption_key: key } = fields(body)
      if (typeof url !== 'string') return refuse(reply, 'url must be a string')
      if (key !== undefined && (typeof key !== 'object' || key === null))
        return refuse(reply, 'encryption_key must be a JWK')
      const input = { url, ...(key !== undefined && { encryptionKey: fields(key) }) }
      const { signingSecret } = orThrow(await setWebhook(webhooks, id, input, developer))
      return json(reply, { url, ...shownSecret(id, signingSecret) })
    }),
  )

  app.delete<ById>('/dev/organizations/:id/webhook', ({ params }, reply) =>
    answer(reply, params.id, async (id) => {
      orThrow(await removeWebhook(webhooks, id, developer))
      return reply.code(204).send()
    }),
  )

  app.post<ById>('/dev/organizations/:id/webhook/rotate-secret', ({ params }, reply) =>
    answer(reply, params.id, async (id) => {
      const secret = orThrow(await rotateSecret(webhooks, id, developer))
      return json(reply, { signing_secret: secret })
    }),
  )

  app.post<ById>(
    '/dev/organizations/:id/webhook/test',
    { config: { answerLimitMs: testLimitMs } },
    ({ params }, reply) =>
      answer(reply, params.id, async (id) => json(reply, orThrow(await pingWebhook(webhooks, id)))),
  )
}

/** A secret is shown once; after that, where a new one comes from. */
const shownSecret = (id: string, secret: string | undefined) =>
  secret === undefined
    ? {
        note: `The signing secret stays as it is. If you lost it, POST /dev/organizations/${id}/webhook/rotate-secret returns a new one.`,
      }
    : { signing_secret: secret }

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
    const { details } = error as { details?: { issues?: { message: string }[] } }
    const issue = details?.issues?.[0]
    return refuse(reply, issue ? issue.message : error.message, error.status)
  }
}
