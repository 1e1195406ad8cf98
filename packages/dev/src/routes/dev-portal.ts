import { Email } from '@symbolon/api'
import type { App } from '@symbolon/server'
import type { FastifyInstance } from 'fastify'
import { fields, json, refuse } from './raw-answer.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Adds ways into the portal: `POST /dev/portal-session {email}` sets the session cookie of that user, and
 * `POST /dev/organizations/{id}/owner {email}` gives an organization that has no member its owner. Answers are raw JSON.
 */
export function devPortalRoutes(app: FastifyInstance, { portal }: Pick<App, 'portal'>): void {
  app.post('/dev/portal-session', async ({ body }, reply) => {
    const email = Email.safeParse(fields(body)['email']).data
    if (email === undefined) return refuse(reply, 'email must be an email address')
    const { user, expiresAt, cookie } = await portal.openSession(email)
    return json(reply.header('set-cookie', cookie), { user, expires_at: expiresAt.toISOString() })
  })

  app.post<{ Params: { id: string } }>('/dev/organizations/:id/owner', async ({ params, body }, reply) => {
    const email = Email.safeParse(fields(body)['email']).data
    if (email === undefined) return refuse(reply, 'email must be an email address')
    if (!uuid.test(params.id)) return refuse(reply, 'There is no such organization.', 404)
    await portal.adopt(params.id, email)
    return reply.code(204).send()
  })
}
