import type { WalletWithIdentity } from '@symbolon/api'
import {
  anyAddress,
  eventsOf,
  type MintedSession,
  makeAgent,
  mintSession,
  mySession,
  setRules,
  signAs,
  transferRequest,
  violation,
} from '@symbolon/testing/agents'
import {
  liftRates,
  makeTenant,
  makeWalletFor,
  newMember,
  type PortalUser,
  startClock,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { type Hex, parseTransaction, recoverTransactionAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let owner: PortalUser
let wallet: WalletWithIdentity

beforeAll(async () => {
  app = await startTestApp()
  await liftRates(app)
  tenant = await makeTenant(app)
  owner = await newMember(app, tenant.id, 'owner')
  wallet = await makeWalletFor(app, tenant)
})
afterAll(() => app?.stop())

const mint = (more: Record<string, unknown> = {}) => mintSession(app, tenant, wallet.id, more)
const events = (session: MintedSession, query = '') => eventsOf(app, owner, session, query)
const hello = { type: 'message', message: 'hello', chain: 'base' }

/** The audit log's newest word on the session. */
async function lastAudit({ id }: MintedSession) {
  const rows = await app.sql`
    select type, success, actor_type, actor_id, error_code, wallet_id, payload from audit_events
    where actor_id = ${id} order by n desc limit 1`
  return rows[0]
}

const permit = (owner: string, token: string, chainId: unknown) => ({
  type: 'typed_data',
  typed_data: {
    domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: token },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner, spender: anyAddress(), value: '5', nonce: '0', deadline: '4000000000' },
  },
})

describe('within its policy', () => {
  test('typed data says by its domain on which chain it is, unless the request does', async () => {
    const token = anyAddress()
    const allowed_tokens = [{ chain: 'base', token, max_total: '100' }]
    const session = await mint({ allowed_chains: ['base'], allowed_tokens })
    for (const chainId of [8453, '8453', '0x2105']) {
      const { status, data, text } = await signAs(app, session.token, permit(wallet.address, token, chainId))
      expect(status, text).toBe(200)
      expect(data).toMatchObject({ chain: 'base' })
    }
    for (const [more, reason] of [
      [permit(wallet.address, token, 10), 'chain_not_allowed'],
      [permit(wallet.address, token, 424_242), 'chain_not_allowed'],
      [permit(wallet.address, token, undefined), 'chain_not_allowed'],
      [{ ...permit(wallet.address, token, 8453), chain: 'ethereum' }, 'chain_not_allowed'],
      [{ ...permit(wallet.address, token, 1), chain: 'base' }, 'typed_data_not_allowed'],
    ] as const)
      expect(violation(await signAs(app, session.token, more))).toMatchObject({ reason })
  })

  test('a transaction is signed by the wallet, counted, and recorded once', async () => {
    const session = await mint()
    const to = anyAddress()
    const { status, data, text } = await signAs(app, session.token, transferRequest(to, 400n))
    expect(status, text).toBe(200)
    const raw = data.signed_transaction as `0x02${string}`
    expect(parseTransaction(raw)).toMatchObject({ to, value: 400n })
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(wallet.address)
    expect(data).not.toHaveProperty('decision')

    const mine = await mySession(app, session.token)
    expect(mine).toMatchObject({ spent_total_native: '400', reserved_native: '0', remaining_native: '9600' })
    expect(mine.transactions).toMatchObject({ count: 1, reserved: 0 })
    const { items, total } = await events(session)
    expect(total).toBe(1)
    expect(items).toMatchObject([
      {
        session_id: session.id,
        run_id: null,
        chain: 'local',
        method: 'sendTransaction',
        value: '400',
        asset: 'ETH',
        outcome: 'allowed',
        reason_code: null,
        layer: null,
        tx_hash: data.transaction_hash,
      },
    ])
    expect(items[0]?.target?.toLowerCase()).toBe(to)
    expect(items[0]?.payload_sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(await lastAudit(session)).toMatchObject({
      success: true,
      actor_type: 'agent',
      wallet_id: wallet.id,
      payload: { type: 'transaction', chain: 'local' },
    })
  })

  test('a message costs nothing, by either path', async () => {
    const session = await mint({ max_spend_total_native: '0', max_tx_count: 0 })
    expect((await signAs(app, session.token, hello)).status).toBe(200)
    const json = { ...hello, wallet_id: wallet.id }
    expect((await app.call('POST', '/v1/s2s/sign', { token: session.token, json })).status).toBe(200)
    expect((await events(session)).items).toMatchObject([
      { outcome: 'allowed', method: 'signMessage', value: '0' },
      { outcome: 'allowed', method: 'signMessage', value: '0' },
    ])
  })

  test('the same bytes cost once, and give the same signature', async () => {
    const session = await mint()
    const request = transferRequest(anyAddress(), 900n)
    const answers = await Promise.all(Array.from({ length: 8 }, () => signAs(app, session.token, request)))
    answers.push(await signAs(app, session.token, request))
    expect(new Set(answers.map(({ data }) => data?.signature)).size).toBe(1)
    expect(await mySession(app, session.token)).toMatchObject({
      spent_total_native: '900',
      reserved_native: '0',
      transactions: { count: 1, reserved: 0 },
    })
    expect((await events(session)).total).toBe(9)
  })

  test('two sessions of one wallet share nothing', async () => {
    const [one, two] = [await mint(), await mint()]
    const request = transferRequest(anyAddress(), 700n)
    for (const { token } of [one, two]) expect((await signAs(app, token, request)).status).toBe(200)
    for (const { token } of [one, two]) {
      expect(await mySession(app, token)).toMatchObject({ spent_total_native: '700' })
    }
  })
})

describe('beyond it', () => {
  test('the total refuses what goes over it by one unit, and takes what fills it', async () => {
    const session = await mint({ max_spend_total_native: '1500' })
    const sign = (value: bigint) => signAs(app, session.token, transferRequest(anyAddress(), value))
    expect((await sign(1000n)).status).toBe(200)
    const refused = await sign(501n)
    expect(refused.status).toBe(403)
    expect(violation(refused)).toEqual({
      reason: 'total_cap_exceeded',
      layer: 'session',
      rule: 'max_spend_total_native',
      limit: '1500',
      actual: '1501',
      value: '501',
      fee: '0',
    })
    expect((await sign(500n)).status).toBe(200)
    expect(violation(await sign(1n))).toMatchObject({ reason: 'total_cap_exceeded' })
    expect(await mySession(app, session.token)).toMatchObject({ status: 'exhausted', remaining_native: '0' })
    expect((await events(session)).items.map(({ outcome }) => outcome)).toEqual([
      'rejected',
      'allowed',
      'rejected',
      'allowed',
    ])
    expect((await events(session, '?outcome=rejected&limit=1&offset=1')).items).toMatchObject([
      { reason_code: 'total_cap_exceeded', layer: 'session', value: '501' },
    ])
    expect(await lastAudit(session)).toMatchObject({
      success: false,
      error_code: 'policy_violation',
      payload: { reason: 'total_cap_exceeded', layer: 'session' },
    })
  })

  test('the organization’s total speaks before the session’s', async () => {
    const strict = await makeTenant(app)
    const admin = await newMember(app, strict.id, 'admin')
    const own = await makeWalletFor(app, strict)
    const rules = { member: admin, organizationId: strict.id }
    await setRules(app, rules, { max_native_total_cap: '1000' })
    const session = await mintSession(app, strict, own.id, { max_spend_total_native: '1000' })
    expect((await signAs(app, session.token, transferRequest(anyAddress(), 600n))).status).toBe(200)
    expect(violation(await signAs(app, session.token, transferRequest(anyAddress(), 401n)))).toMatchObject({
      reason: 'org_total_cap_exceeded',
      layer: 'organization',
      limit: '1000',
      actual: '1001',
    })
    // What is signed already stays so under a later, lower cap; nothing else does.
    await setRules(app, rules, { max_native_total_cap: '100' })
    expect(violation(await signAs(app, session.token, transferRequest(anyAddress(), 1n)))).toMatchObject({
      reason: 'org_total_cap_exceeded',
      limit: '100',
      actual: '601',
    })
    expect(await mySession(app, session.token)).toMatchObject({
      spent_total_native: '600',
      reserved_native: '0',
    })
    await setRules(app, rules, {})
    const filled = await signAs(app, session.token, transferRequest(anyAddress(), 400n))
    expect(filled.status, filled.text).toBe(200)
  })

  test('the count of transactions is a budget too', async () => {
    const session = await mint({ max_tx_count: 2 })
    for (const nonce of [0, 1]) {
      expect((await signAs(app, session.token, transferRequest(anyAddress(), 1n, { nonce }))).status).toBe(
        200,
      )
    }
    expect(violation(await signAs(app, session.token, transferRequest(anyAddress(), 1n)))).toMatchObject({
      reason: 'tx_count_exceeded',
      rule: 'max_tx_count',
      limit: '2',
      actual: '3',
    })
  })

  test('another wallet, an archived one and an ended session get their errors, each with its event', async () => {
    const own = await makeWalletFor(app, tenant)
    const session = await mintSession(app, tenant, own.id)
    const mismatch = await app.call('POST', '/v1/s2s/sign', {
      token: session.token,
      json: { ...hello, wallet_id: wallet.id },
    })
    expect(violation(mismatch)).toMatchObject({ reason: 'wallet_mismatch', layer: 'session' })
    await app.call('POST', `/v1/s2s/wallets/${own.id}/archive`, { sk: tenant.sk })
    expect(violation(await signAs(app, session.token, hello))).toMatchObject({ reason: 'wallet_archived' })
    const path = `/v1/orgs/${tenant.id}/agent-sessions/${session.id}/revoke`
    expect((await app.call('POST', path, { sk: tenant.sk })).status).toBe(200)
    const revoked = await signAs(app, session.token, hello)
    expect(revoked).toMatchObject({ status: 401, error: { code: 'token_revoked' } })
    const torn = await app.call('POST', '/v1/agents/me/sign', { token: session.token, body: '{' })
    expect(torn.status).toBe(401)
    expect((await events(session)).items.map(({ outcome, reason_code }) => [outcome, reason_code])).toEqual([
      ['rejected', 'session_revoked'],
      ['rejected', 'session_revoked'],
      ['rejected', 'wallet_archived'],
      ['rejected', 'wallet_mismatch'],
    ])
  })

  test('an expired session gets its error and its event', async () => {
    const session = await mint({ expires_at: new Date(Date.now() + 60_000).toISOString() })
    await stopClock(app, Date.now() + 61_000)
    try {
      expect(await signAs(app, session.token, hello)).toMatchObject({ error: { code: 'token_expired' } })
    } finally {
      await startClock(app)
    }
    expect((await events(session)).items).toMatchObject([
      { outcome: 'rejected', reason_code: 'session_expired' },
    ])
  })

  test('bodies and payloads that make no sense leave events of outcome error', async () => {
    const session = await mint()
    const bad = await signAs(app, session.token, { type: 'message' })
    expect(bad).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
    const torn = await app.call('POST', '/v1/agents/me/sign', { token: session.token, body: '{' })
    expect(torn.status).toBe(400)
    const payload = await signAs(app, session.token, {
      type: 'transaction',
      chain: 'base',
      transaction: '0x02ff',
    })
    expect(payload).toMatchObject({ status: 400, error: { code: 'invalid_payload' } })
    const unknown = await signAs(app, session.token, { ...hello, chain: 'nowhere' })
    expect(unknown).toMatchObject({ status: 400, error: { code: 'chain_unsupported' } })
    const { items, total } = await events(session, '?outcome=error')
    expect(total).toBe(4)
    expect(items.map(({ reason_code }) => reason_code)).toEqual([
      'chain_unsupported',
      'invalid_payload',
      'invalid_request',
      'invalid_request',
    ])
  })
})

describe('a dry run', () => {
  test('returns the whole evaluation, and neither signs nor spends nor records an event', async () => {
    const session = await mint()
    const dry = (value: bigint) =>
      signAs(app, session.token, { ...transferRequest(anyAddress(), value), dry_run: true })
    const allowed = await dry(300n)
    expect(allowed.status, allowed.text).toBe(200)
    expect(allowed.data).not.toHaveProperty('signature')
    expect(allowed.data.decision).toMatchObject({
      outcome: 'allowed',
      reason: null,
      method: 'sendTransaction',
      effects: [{ kind: 'transfer', asset: 'ETH', amount: '300' }],
    })
    expect(allowed.data.decision?.spends).toContainEqual({ asset: 'ETH', amount: '300', remaining: '9700' })
    const checks = allowed.data.decision?.checks ?? []
    expect(checks.every(({ passed }) => passed)).toBe(true)
    const totals = checks.filter(({ rule }) => rule === 'max_spend_total_native')
    expect(totals).toMatchObject([{ actual: '300' }])
    expect((await dry(1001n)).data.decision).toMatchObject({
      outcome: 'rejected',
      reason: 'per_tx_cap_exceeded',
      limit: '1000',
      actual: '1001',
    })
    expect((await events(session)).total).toBe(0)
    expect(await mySession(app, session.token)).toMatchObject({ spent: [], spent_total_native: '0' })
  })

  test('says what is wrong with a payload that a refusal kept from being looked at', async () => {
    const { token } = await mint({ allowed_methods: [] })
    const types = [{}, { 'X(uint8 a)': [], X: [] }, { X: [{ name: 'a,b', type: 'uint8' }] }]
    for (const declared of types) {
      const { status, error } = await signAs(app, token, {
        type: 'typed_data',
        chain: 'base',
        typed_data: { domain: {}, types: declared, primaryType: 'X', message: {} },
        dry_run: true,
      })
      expect([status, error?.code]).toEqual([400, 'invalid_payload'])
    }
  })
})

describe('a hash of an operation as a message', () => {
  test('is refused unless it is an operation of the wallet', async () => {
    const session = await mint()
    const message = `0x${'ab'.repeat(32)}` as Hex
    const refused = await signAs(app, session.token, {
      type: 'message',
      message,
      encoding: 'hex',
      chain: 'base',
    })
    expect(violation(refused)).toMatchObject({ reason: 'message_is_transaction' })
  })
})

describe('an agent’s policy', () => {
  test('narrows its sessions from the moment it is changed', async () => {
    const agent = await makeAgent(app, { member: owner, organizationId: tenant.id, walletId: wallet.id })
    const session = await mint({ agent_id: agent.id })
    expect((await signAs(app, session.token, transferRequest(anyAddress(), 500n))).status).toBe(200)
    const path = `/v1/orgs/${tenant.id}/agents/${agent.id}`
    const { cookie } = owner
    const changed = await app.call('PATCH', path, {
      json: { policy: { max_spend_per_tx_native: '499' } },
      headers: { cookie, origin: 'https://wallet.example.test' },
    })
    expect(changed.status, changed.text).toBe(200)
    expect(violation(await signAs(app, session.token, transferRequest(anyAddress(), 500n)))).toMatchObject({
      reason: 'per_tx_cap_exceeded',
      layer: 'agent',
      limit: '499',
    })
    await app.call('POST', `${path}/archive`, { headers: { cookie, origin: 'https://wallet.example.test' } })
    const refused = await signAs(app, session.token, hello)
    expect(refused).toMatchObject({ error: { code: 'token_revoked' } })
  })
})
