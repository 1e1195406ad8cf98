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
import { restartEnclave } from '@symbolon/testing/enclave'
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

describe('after the enclave has died', () => {
  const revoke = async (session: MintedSession) => {
    const path = `/v1/orgs/${tenant.id}/agent-sessions/${session.id}/revoke`
    expect((await app.call('POST', path, { sk: tenant.sk })).status).toBe(200)
  }
  const newestMarks = async () => {
    const [row] = await app.sql<{ number: string }[]>`
      select coalesce(max(number), 0)::text as number from enclave_marks`
    return Number(row?.number)
  }

  test('it still knows what was spent until five seconds ago', async () => {
    const session = await mintSession(app, tenant, wallet.id, { max_tx_count: 2 })
    const back = await snapshot('agent_counters', 'agent_reservations')
    const before = await newestMarks()
    expect((await sign(session)).status).toBe(200)
    expect((await sign(session)).status).toBe(200)
    await expect.poll(newestMarks, { timeout: 10_000 }).toBeGreaterThan(before)
    await restartEnclave(app.enclaveProcess)
    await back()
    await expectOlder(session, 'budget')
  })

  test('it still refuses what was revoked, archived or changed before the answer', async () => {
    const other = await makeWalletFor(app, tenant)
    const [session, ruled] = [
      await mintSession(app, tenant, wallet.id),
      await mintSession(app, tenant, wallet.id),
    ]
    await setRules(app, company(), {})
    const back = await snapshot('agent_sessions', 'organization_rules', 'wallets', 'enclave_notes')
    await revoke(session)
    await setRules(app, company(), { blocked_recipients: [anyAddress()] })
    await restartEnclave(app.enclaveProcess)
    const archive = `/v1/s2s/wallets/${other.id}/archive`
    await expect
      .poll(async () => (await app.call('POST', archive, { sk: tenant.sk })).status, { timeout: 10_000 })
      .toBe(204)
    await restartEnclave(app.enclaveProcess)
    await back()
    await expectOlder(session, 'session')
    await expectOlder(ruled, 'rules')
    const message = { type: 'message', message: 'hello', chain: 'base', wallet_id: other.id }
    const { error } = await app.call('POST', '/v1/s2s/sign', { sk: tenant.sk, json: message })
    expect([error?.code, error?.details]).toEqual(['state_rolled_back', { what: 'wallet' }])
    await setRules(app, company(), { blocked_recipients: [anyAddress()] })
    await setRules(app, company(), {})
    expect((await sign(await mintSession(app, tenant, wallet.id))).status).toBe(200)
  })

  test('it still refuses the rules from before others were set, though nobody signed under those', async () => {
    const session = await mintSession(app, tenant, wallet.id)
    await setRules(app, company(), {})
    const back = await snapshot('organization_rules', 'enclave_notes')
    await setRules(app, company(), { blocked_recipients: [anyAddress()] })
    await back()
    await restartEnclave(app.enclaveProcess)
    await expectOlder(session, 'rules')
  })

  test('it signs again where somebody took its marks away: they are what refuses', async () => {
    const session = await mintSession(app, tenant, wallet.id)
    const back = await snapshot('agent_sessions')
    await revoke(session)
    await app.sql`delete from enclave_marks`
    await restartEnclave(app.enclaveProcess)
    await back()
    expect((await sign(session)).status).toBe(200)
  })

  test('altered marks are refused, and nothing is signed until they are put right', async () => {
    const session = await mintSession(app, tenant, wallet.id)
    await revoke(await mintSession(app, tenant, wallet.id))
    const back = await snapshot('enclave_marks')
    await app.sql`
      update enclave_marks set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)
      where number = (select max(number) from enclave_marks)`
    await restartEnclave(app.enclaveProcess)
    expect((await sign(session)).error?.code).toBe('unavailable')
    expect((await app.call('GET', '/v1/ready')).status).toBe(503)
    await back()
    await expect.poll(async () => (await sign(session)).status, { timeout: 10_000 }).toBe(200)
  })

  test('several processes bring the marks at once, and each signs', async () => {
    const others = await Promise.all([1, 2].map(() => startTestApp({ installation: app })))
    try {
      const session = await mintSession(app, tenant, wallet.id)
      for (let round = 0; round < 3; round++) {
        await restartEnclave(app.enclaveProcess)
        const signs = (process: TestApp) => signAs(process, session.token, transferRequest(anyAddress(), 1n))
        // On a busy machine, a first request may be 503 while the marks are on their way.
        await Promise.all(
          [app, ...others].map((process) =>
            expect.poll(async () => (await signs(process)).status, { timeout: 15_000 }).toBe(200),
          ),
        )
      }
    } finally {
      await Promise.all(others.map((other) => other.stop()))
    }
  })
})
