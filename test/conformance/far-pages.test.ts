import { type Route, routes } from '@symbolon/api'
import {
  callAs,
  makeWalletFor,
  newCompany,
  type PortalUser,
  portalUser,
  startTestApp,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

const lists = Object.values(routes as Record<string, Route>).filter(
  // A run of its own would have to be made for the events of one; they are read as those of a session.
  ({ query, path }) => query !== undefined && 'offset' in query.shape && !path.includes('{runID}'),
)
let app: TestApp
let owner: PortalUser
let sk: string
let ids: Record<string, string>

beforeAll(async () => {
  app = await startTestApp()
  owner = await portalUser(app)
  const { id: orgID } = await newCompany(app, owner)
  const minted = {
    name: 'k',
    type: 'secret' as const,
    scope: 'full' as const,
    ipAllowlist: [],
    expiresAt: null,
  }
  sk = (await app.app.orgs.mintKey(orgID, minted)).key
  const wallet = await makeWalletFor(app, { id: orgID, pk: '', sk, keyId: '', readKey: '' })
  const agent = await callAs(app, owner, [
    'POST',
    `/v1/orgs/${orgID}/agents`,
    { name: 'A', wallet_id: wallet.id, policy: { allowed_methods: [] } },
  ])
  const session = await app.call('POST', '/v1/s2s/agent-sessions', {
    sk,
    json: {
      wallet_id: wallet.id,
      name: 'S',
      max_spend_per_tx_native: '0',
      max_spend_total_native: '0',
      allowed_chains: ['base'],
      allowed_methods: [],
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    },
  })
  ids = { orgID, agentID: String(agent.data['id']), sessionID: String(session.data['id']) }
})
afterAll(() => app.stop())

test.each(lists.map(({ path }) => path))(
  'the farthest page that %s has is empty, one behind it none',
  async (path) => {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
    const list = (offset: string) => {
      const asked = `${url}?offset=${offset}`
      return path.startsWith('/v1/s2s') ? app.call('GET', asked, { sk }) : callAs(app, owner, ['GET', asked])
    }
    expect(await list('9007199254740991')).toMatchObject({ status: 200, data: { items: [] } })
    const refused = await list('9007199254740992')
    expect([refused.status, refused.error?.details]).toEqual([
      400,
      { issues: [{ path: ['offset'], message: '`offset` must be a whole number of at least 0' }] },
    ])
  },
)
