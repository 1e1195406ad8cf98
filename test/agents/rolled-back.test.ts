import type { SignResponse, WalletWithIdentity } from '@symbolon/api'
import {
  anyAddress,
  eventsOf,
  type MintedSession,
  makeAgent,
  mintSession,
  setRules,
  signAs,
  transferRequest,
} from '@symbolon/testing/agents'
import {
  callAs,
  liftRates,
  makeTenant,
  makeWalletFor,
  newMember,
  type PortalUser,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let owner: PortalUser
let wallet: WalletWithIdentity

beforeAll(async () => {
  app = await startTestApp()
  await liftRates(app)
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  owner = await newMember(app, tenant.id, 'owner')
  wallet = await makeWalletFor(app, tenant)
})
afterAll(() => app?.stop())

const company = () => ({ member: owner, organizationId: tenant.id })

const sign = (session: MintedSession, value = 1n, to = anyAddress()) =>
  signAs(app, session.token, transferRequest(to, value))

/** The rows of these tables as they are now; the answer puts them back, triggers and all kept from noticing. */
async function snapshot(...tables: string[]): Promise<() => Promise<void>> {
  const saved = await Promise.all(
    tables.map(async (table) => {
      const [row] = await app.sql<{ rows: string }[]>`
        select coalesce(json_agg(t), '[]')::text as rows from ${app.sql.identifier(table)} t`
      return { table, rows: row?.rows ?? '[]' }
    }),
  )
  return () =>
    app.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      for (const { table } of saved) await tx`delete from ${tx.identifier(table)}`
      for (const { table, rows } of saved)
        await tx`insert into ${tx.identifier(table)} select * from json_populate_recordset(null::${tx.unsafe(table)}, ${rows}::json)`
    })
}

/** Expects that nothing is signed, for this reason, and that the request's one event says so. */
async function expectOlder(session: MintedSession, what: string, value?: bigint): Promise<void> {
  const { status, error } = await sign(session, value)
  expect({ status, code: error?.code, details: error?.details }).toEqual({
    status: 409,
    code: 'state_rolled_back',
    details: { what },
  })
  const { items } = await eventsOf(app, owner, session)
  expect(items[0]).toMatchObject({ outcome: 'error', reason_code: 'state_rolled_back' })
}

describe('a database that was set back signs nothing', () => {
  test('beyond what its sessions have spent', async () => {
    const session = await mintSession(app, tenant, wallet.id, { max_tx_count: 2 })
    const back = await snapshot('agent_counters', 'agent_reservations')
    const first = anyAddress()
    expect((await sign(session, 1n, first)).status).toBe(200)
    expect((await sign(session)).status).toBe(200)
    await back()
    await expectOlder(session, 'budget')
    // What was signed before is signed again: it costs nothing twice.
    expect((await sign(session, 1n, first)).status).toBe(200)
  })

  test('for a session that was revoked', async () => {
    const session = await mintSession(app, tenant, wallet.id)
    const back = await snapshot('agent_sessions')
    expect((await sign(session)).status).toBe(200)
    const path = `/v1/orgs/${tenant.id}/agent-sessions/${session.id}/revoke`
    expect((await app.call('POST', path, { sk: tenant.sk })).status).toBe(200)
    expect((await sign(session)).error?.code).toBe('token_revoked')
    await back()
    await expectOlder(session, 'session')
    const other = await mintSession(app, tenant, wallet.id)
    expect((await sign(other)).status).toBe(200)
  })

  test('for the sessions of an agent that was archived', async () => {
    const agent = await makeAgent(app, { ...company(), walletId: wallet.id })
    const session = await mintSession(app, tenant, wallet.id, { agent_id: agent.id })
    const back = await snapshot('agent_sessions', 'agents')
    expect((await sign(session)).status).toBe(200)
    const path = `/v1/orgs/${tenant.id}/agents/${agent.id}/archive`
    expect((await callAs(app, owner, ['POST', path])).status).toBe(204)
    await back()
    await expectOlder(session, 'session')
  })

  test('under the rules from before', async () => {
    const session = await mintSession(app, tenant, wallet.id)
    await setRules(app, company(), {})
    const back = await snapshot('organization_rules')
    await setRules(app, company(), { blocked_recipients: [anyAddress()] })
    expect((await sign(session)).status).toBe(200)
    await back()
    await expectOlder(session, 'rules')
  })

  test('with a wallet that was archived, in no lane', async () => {
    const session = await mintSession(app, tenant, wallet.id)
    const back = await snapshot('wallets')
    const path = `/v1/s2s/wallets/${wallet.id}`
    const message = { type: 'message', message: 'hello', chain: 'base', wallet_id: wallet.id }
    const signAsBackend = () =>
      app.call<SignResponse>('POST', '/v1/s2s/sign', { sk: tenant.sk, json: message })
    expect((await signAsBackend()).status).toBe(200)
    expect((await app.call('POST', `${path}/archive`, { sk: tenant.sk })).status).toBe(204)
    expect((await signAsBackend()).error?.code).toBe('wallet_archived')
    await back()
    const { status, error } = await signAsBackend()
    expect({ status, code: error?.code, details: error?.details }).toEqual({
      status: 409,
      code: 'state_rolled_back',
      details: { what: 'wallet' },
    })
    const [event] = await app.sql`
      select success, error_code from audit_events where organization_id = ${tenant.id} order by n desc limit 1`
    expect(event).toEqual({ success: false, error_code: 'state_rolled_back' })
    await expectOlder(session, 'wallet')
    expect((await app.call('POST', `${path}/archive`, { sk: tenant.sk })).status).toBe(204)
    expect((await app.call('POST', `${path}/unarchive`, { sk: tenant.sk })).status).toBe(204)
    expect((await signAsBackend()).status).toBe(200)
    expect((await sign(session)).status).toBe(200)
  })
})

test('a process that has not heard of later rules yet reads again, and signs under them', async () => {
  const other = await startTestApp({ installation: app })
  try {
    const [session, blocked] = [await mintSession(app, tenant, wallet.id), anyAddress()]
    for (const process of [app, other])
      expect((await signAs(process, session.token, transferRequest(anyAddress(), 1n))).status).toBe(200)
    await setRules(app, company(), { blocked_recipients: [blocked] })
    expect((await sign(session)).status).toBe(200)
    const allowed = await signAs(other, session.token, transferRequest(anyAddress(), 1n))
    expect(allowed.status, allowed.text).toBe(200)
    expect((await signAs(other, session.token, transferRequest(blocked, 1n))).error?.code).toBe(
      'policy_violation',
    )
  } finally {
    await other.stop()
  }
})
