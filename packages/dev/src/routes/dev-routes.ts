import { randomBytes } from 'node:crypto'
import type { Sql } from '@symbolon/server/pool'
import type { FastifyInstance } from 'fastify'
import { mailboxStore } from '../mail/mailbox.store.ts'
import { mailboxPage } from '../mail/mailbox-page.ts'
import type { DevChainAccess } from './dev-chain.ts'
import { advanceClock, advanceMsMax } from './dev-clock.ts'
import { faucetRoute } from './faucet-route.ts'
import { fields, json, refuse } from './raw-answer.ts'

/** An organization with its credentials, as `dev.json` and `POST /dev/organizations` show it. */
export type DevOrganization = { id: string; publishable_key: string; secret_key: string; read_key: string }

/** The context of the development routes; `createOrganization` is the server's own function. */
export type DevRoutesOptions = {
  sql: Sql
  createOrganization(input: { name: string; signingMode: 'client' | 'tee' }): Promise<DevOrganization>
  /** The local chains; none when they are off. */
  chains: readonly DevChainAccess[]
}

/**
 * Adds the development interface below `/dev` to a server: mailbox, organizations, clock, faucet. Answers are raw JSON, refusals
 * `{error: "…"}` with 400. Only for loopback: anyone who reaches it owns the platform.
 */
export function devRoutes(app: FastifyInstance, { sql, createOrganization, chains }: DevRoutesOptions): void {
  faucetRoute(app, chains)

  app.get('/dev/mailbox', async (_request, reply) => {
    const { html, contentSecurityPolicy } = mailboxPage(randomBytes(16).toString('base64'))
    return reply
      .header('content-security-policy', contentSecurityPolicy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html)
  })

  app.get<{ Querystring: { to?: unknown } }>('/dev/mailbox/messages', async (request, reply) => {
    const { to } = request.query
    if (to !== undefined && typeof to !== 'string') return refuse(reply, 'to must be one address')
    return json(reply, await mailboxStore.list(sql, to === '' ? undefined : to))
  })

  app.post('/dev/organizations', async (request, reply) => {
    const { name, signing_mode: signingMode = 'client' } = fields(request.body)
    if (typeof name !== 'string' || name.trim() === '' || name.length > 200)
      return refuse(reply, 'name must be a string of 1 to 200 characters')
    if (signingMode !== 'client' && signingMode !== 'tee')
      return refuse(reply, 'signing_mode must be client or tee')
    return json(reply.code(201), await createOrganization({ name, signingMode }))
  })

  app.post('/dev/clock', async (request, reply) => {
    const { advance_ms: advanceMs } = fields(request.body)
    if (
      typeof advanceMs !== 'number' ||
      !Number.isSafeInteger(advanceMs) ||
      Math.abs(advanceMs) > advanceMsMax
    )
      return refuse(reply, `advance_ms must be a whole number up to ${advanceMsMax}`)
    const now = await advanceClock(sql, advanceMs)
    const move = { advanceS: advanceMs / 1000, toS: now.getTime() / 1000 }
    const moved = await Promise.all(
      chains.map(async (chain) => [chain.handle, (await chain.moveTime(move)) ? 'moved' : 'down']),
    )
    return json(reply, { now: now.toISOString(), chains: Object.fromEntries(moved) })
  })
}
