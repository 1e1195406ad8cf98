import { randomUUID } from 'node:crypto'
import { type PortalRole, portalRoles, type Route, routes } from '@symbolon/api'
import { makeAgent } from '@symbolon/testing/agents'
import {
  callAs,
  joinOrganization,
  makeWalletFor,
  newCompany,
  newMember,
  portalUser,
  startTestApp,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Who may do what, written down by hand: the least role, and the status of whoever has it. */
const table: [route: string, least: PortalRole, status: number, json?: object][] = [
  ['GET /v1/orgs/{orgID}', 'viewer', 200],
  ['PATCH /v1/orgs/{orgID}', 'admin', 200, { name: 'Other' }],
  ['PATCH /v1/orgs/{orgID}/auth', 'admin', 200, { auth_config: { mode: 'service' } }],
  ['PATCH /v1/orgs/{orgID}/recovery-mode', 'admin', 200, { mode: 'customer_managed' }],
  ['PATCH /v1/orgs/{orgID}/signing-mode', 'admin', 200, { signing_mode: 'client' }],
  ['GET /v1/orgs/{orgID}/chains', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/members', 'viewer', 200],
  ['POST /v1/orgs/{orgID}/members', 'admin', 201, { email: 'new@example.test', role: 'viewer' }],
  ['PATCH /v1/orgs/{orgID}/members/{memberID}', 'admin', 200, { role: 'developer' }],
  ['DELETE /v1/orgs/{orgID}/members/{memberID}', 'admin', 204],
  ['GET /v1/orgs/{orgID}/api-keys', 'viewer', 200],
  ['POST /v1/orgs/{orgID}/api-keys', 'developer', 201, { name: 'key', type: 'publishable' }],
  ['DELETE /v1/orgs/{orgID}/api-keys/{keyID}', 'developer', 204],
  ['POST /v1/orgs/{orgID}/api-keys/{keyID}/rotate', 'developer', 201, {}],
  ['GET /v1/orgs/{orgID}/webhook', 'viewer', 200],
  ['PUT /v1/orgs/{orgID}/webhook', 'admin', 200, { url: 'http://127.0.0.1:1/' }],
  ['DELETE /v1/orgs/{orgID}/webhook', 'admin', 204],
  ['POST /v1/orgs/{orgID}/webhook/test', 'admin', 200],
  ['POST /v1/orgs/{orgID}/webhook/rotate-secret', 'admin', 200],
  ['GET /v1/orgs/{orgID}/webhook/deliveries', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/wallets', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/wallets/{walletID}', 'viewer', 200],
  ['POST /v1/orgs/{orgID}/wallets/{walletID}/archive', 'admin', 204],
  ['POST /v1/orgs/{orgID}/wallets/{walletID}/unarchive', 'admin', 204],
  ['GET /v1/orgs/{orgID}/users', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/usage', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/audit', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/audit/checkpoint', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/audit/{eventID}/proof', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/audit/consistency?from=1', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/audit/export', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/rules', 'admin', 200],
  ['PUT /v1/orgs/{orgID}/rules', 'admin', 200, { token_mode: 'none' }],
  ['GET /v1/orgs/{orgID}/agents', 'viewer', 200],
  ['POST /v1/orgs/{orgID}/agents', 'developer', 201, { name: 'Buyer', wallet_id: '{walletID}' }],
  ['GET /v1/orgs/{orgID}/agents/{agentID}', 'viewer', 200],
  ['PATCH /v1/orgs/{orgID}/agents/{agentID}', 'developer', 200, { policy: { max_tx_count: 1 } }],
  ['POST /v1/orgs/{orgID}/agents/{agentID}/archive', 'developer', 204],
  ['GET /v1/orgs/{orgID}/agents/{agentID}/runs', 'viewer', 200],
  ['POST /v1/orgs/{orgID}/agents/{agentID}/runs', 'developer', 201, { objective: { tool: 'get_policy' } }],
  ['GET /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}', 'viewer', 200],
  ['POST /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}/cancel', 'developer', 200],
  ['GET /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}/events', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/agents/{agentID}/hooks', 'viewer', 200],
  [
    'POST /v1/orgs/{orgID}/agents/{agentID}/hooks',
    'developer',
    201,
    { name: 'Hook', objective_template: 'x' },
  ],
  ['DELETE /v1/orgs/{orgID}/agents/{agentID}/hooks/{hookID}', 'developer', 204],
  ['POST /v1/orgs/{orgID}/agents/{agentID}/hooks/{hookID}/rotate-secret', 'developer', 200],
  ['GET /v1/orgs/{orgID}/agent-sessions', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/agent-sessions/{sessionID}', 'viewer', 200],
  ['GET /v1/orgs/{orgID}/agent-sessions/{sessionID}/events', 'viewer', 200],
  ['POST /v1/orgs/{orgID}/agent-sessions/{sessionID}/revoke', 'developer', 200],
]

/** The routes that need a session but no company. */
const withoutCompany: [route: string, status: number, json?: object][] = [
  ['GET /v1/auth/session', 200],
  ['POST /v1/auth/logout', 204],
  ['GET /v1/orgs', 200],
  ['POST /v1/orgs', 201, { name: 'Mine', slug: 'mine', country: 'fr' }],
]

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** A company with one of everything that a path or a body can name. */
async function makeSite(path: string, body?: object) {
  const owner = await portalUser(app)
  const company = await newCompany(app, owner)
  const at = `/v1/orgs/${company.id}`
  const member = await newMember(app, company.id, 'viewer')
  const made = await callAs<{ id: string; key: string }>(app, owner, [
    'POST',
    `${at}/api-keys`,
    { name: 'key', type: 'secret' },
  ])
  if (path.includes('/webhook'))
    await callAs(app, owner, ['PUT', `${at}/webhook`, { url: 'http://127.0.0.1:1/' }])
  const tenant = { ...company, pk: '', sk: made.data.key, keyId: made.data.id, readKey: '' }
  const asked = `${path} ${JSON.stringify(body)}`
  const needsWallet = asked.includes('{walletID}') || path.includes('/agent')
  const wallet = needsWallet ? (await makeWalletFor(app, tenant)).id : ''
  const agent = path.includes('/agent')
    ? await makeAgent(app, { member: owner, organizationId: company.id, walletId: wallet })
    : undefined
  const below = async (kind: 'runs' | 'hooks', json: object) =>
    (await callAs<{ id: string }>(app, owner, ['POST', `${at}/agents/${agent?.id}/${kind}`, json])).data.id
  const run = path.includes('{runID}') ? await below('runs', { objective: { tool: 'get_policy' } }) : ''
  const hook = path.includes('{hookID}')
    ? await below('hooks', { name: 'Hook', objective_template: 'x' })
    : ''
  const events = await callAs<{ items: { id: string }[] }>(app, owner, ['GET', `${at}/audit`])
  const filled = path
    .replace('{orgID}', company.id)
    .replace('{memberID}', member.memberId)
    .replace('{keyID}', made.data.id)
    .replace('{walletID}', wallet)
    .replace('{eventID}', events.data.items[0]?.id ?? '')
    .replace('{agentID}', agent?.id ?? '')
    .replace('{sessionID}', agent?.session_id ?? '')
    .replace('{runID}', run)
    .replace('{hookID}', hook)
  const json = body && JSON.parse(JSON.stringify(body).replace('{walletID}', wallet))
  return { owner, company, path: filled, json }
}

const split = (route: string) => route.split(' ') as [method: string, path: string]

test('the table has every route of the portal', () => {
  const listed = [...table, ...withoutCompany].map(([route]) => route.replace(/\?.*/, ''))
  const all = Object.values<Route>(routes).filter(({ lane }) => lane.startsWith('portal'))
  expect(listed.sort()).toEqual(all.map(({ method, path }) => `${method} ${path}`).sort())
})

describe.each(table)('%s', (route, least, status, body) => {
  const [method, path] = split(route)

  test.each(portalRoles)('answers each member as their role allows: %s', async (role) => {
    const site = await makeSite(path, body)
    const user = await newMember(app, site.company.id, role)
    const answer = await callAs(app, user, [method, site.path, site.json])
    const isAllowed = portalRoles.indexOf(role) >= portalRoles.indexOf(least)
    expect({ status: answer.status, code: answer.error?.code }).toEqual(
      isAllowed ? { status } : { status: 403, code: 'forbidden' },
    )
  })

  test("is 404 for another company's owner, as if there were nothing, and 401 without a session", async () => {
    const site = await makeSite(path, body)
    const { json } = site
    const stranger = await portalUser(app)
    await newCompany(app, stranger)
    const foreign = await callAs(app, stranger, [method, site.path, json])
    const absent = await callAs(app, stranger, [
      method,
      site.path.replace(site.company.id, randomUUID()),
      json,
    ])
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(absent.text)
    expect((await callAs(app, { cookie: '' }, [method, site.path, json])).status).toBe(401)
    // Nothing has changed for the owner.
    expect((await callAs(app, site.owner, [method, site.path, json])).status).toBe(status)
  })
})

test.each(withoutCompany)('%s asks for a session and no more', async (route, status, json) => {
  const [method, path] = split(route)
  expect((await callAs(app, { cookie: '' }, [method, path, json])).status).toBe(401)
  expect((await callAs(app, await portalUser(app), [method, path, json])).status).toBe(status)
})

test('a list of companies has those of the caller, each with their role in it', async () => {
  const owner = await portalUser(app)
  const own = await newCompany(app, owner)
  const other = await newCompany(app, await portalUser(app))
  await joinOrganization(app, other.id, { user: owner, role: 'viewer' })
  const { data } = await callAs<{ items: { id: string; role: string }[] }>(app, owner, ['GET', '/v1/orgs'])
  expect(data.items.map(({ id, role }) => ({ id, role }))).toEqual([
    { id: own.id, role: 'owner' },
    { id: other.id, role: 'viewer' },
  ])
})
