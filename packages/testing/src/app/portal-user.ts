import { randomBytes } from 'node:crypto'
import type { PortalRole } from '@symbolon/api'
import { systemIds } from '@symbolon/server/testing/adapters'
import { type Answer, type CallOptions, ownOrigin, type TestApp } from './test-app.ts'

/** Somebody with a session of the portal. */
export type PortalUser = { id: string; email: string; cookie: string }

const ids = systemIds()

/** Opens a session, as the login does when it is through. */
export async function portalUser(
  { app }: Pick<TestApp, 'app'>,
  email = `p-${randomBytes(6).toString('hex')}@example.test`,
): Promise<PortalUser> {
  const { user, cookie } = await app.portal.openSession(email)
  return { id: user.id, email, cookie: cookie.slice(0, cookie.indexOf(';')) }
}

/** Makes somebody a member; answers the membership's id. */
export async function joinOrganization(
  { sql }: Pick<TestApp, 'sql'>,
  organizationId: string,
  { user, role }: { user: PortalUser; role: PortalRole },
): Promise<string> {
  const id = ids.next()
  await sql`insert into organization_members (id, organization_id, user_id, role)
    values (${id}, ${organizationId}, ${user.id}, ${role})`
  return id
}

/** Somebody new who is a member. */
export async function newMember(
  app: TestApp,
  organizationId: string,
  role: PortalRole,
): Promise<PortalUser & { memberId: string }> {
  const user = await portalUser(app)
  return { ...user, memberId: await joinOrganization(app, organizationId, { user, role }) }
}

/** What a page of the portal sends along. */
export const fromPortal = ({ cookie }: Pick<PortalUser, 'cookie'>): Record<string, string> => ({
  cookie,
  origin: ownOrigin,
})

/** Calls as a page of the portal does. */
export function callAs<data = Record<string, unknown>>(
  process: Pick<TestApp, 'call'>,
  user: Pick<PortalUser, 'cookie'>,
  call: readonly [method: string, path: string, json?: unknown],
  { headers, ...options }: CallOptions = {},
): Promise<Answer<data>> {
  const [method, path, json] = call
  return process.call<data>(method, path, {
    headers: { ...fromPortal(user), ...headers },
    ...(json !== undefined && { json }),
    ...options,
  })
}

/** A company that the user makes, in TEE mode. */
export async function newCompany(
  app: TestApp,
  user: PortalUser,
  signingMode = 'tee',
): Promise<{ id: string }> {
  const slug = `c-${randomBytes(8).toString('hex')}`
  const body = { name: 'Company', slug, country: 'de', signing_mode: signingMode }
  const { status, text, data } = await callAs<{ id: string }>(app, user, ['POST', '/v1/orgs', body])
  if (status !== 201) throw new Error(`The company was not made: ${text}`)
  return { id: data.id }
}
