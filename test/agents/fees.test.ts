import type { WalletWithIdentity } from '@symbolon/api'
import {
  anyAddress,
  eventsOf,
  type MintedSession,
  mintBody,
  mintSession,
  mySession,
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
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import type { Hex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
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

describe('a fee', () => {
  test('counts against the total beside the value, for good, and the same bytes cost it once', async () => {
    const fee = 21_000n
    const session = await mint({ max_spend_total_native: String(2n * fee + 1500n) })
    const sign = (request: object) => signAs(app, session.token, request)
    const paying = (value: bigint, nonce = 0) => transferRequest(anyAddress(), value, { nonce, gasPrice: 1n })
    const first = paying(1000n)
    for (const answer of [await sign(first), await sign(first)]) {
      expect(answer.status, answer.text).toBe(200)
      expect(answer.data.decoded_preview.fee).toEqual({ asset: 'ETH', amount: String(fee) })
    }
    expect(await mySession(app, session.token)).toMatchObject({ spent_total_native: String(fee + 1000n) })
    expect(violation(await sign(paying(501n)))).toEqual({
      reason: 'total_cap_exceeded',
      layer: 'session',
      rule: 'max_spend_total_native',
      limit: String(2n * fee + 1500n),
      actual: String(2n * fee + 1501n),
      value: '501',
      fee: String(fee),
    })
    expect((await sign(paying(500n))).status).toBe(200)
    expect(await mySession(app, session.token)).toMatchObject({ status: 'exhausted', remaining_native: '0' })
    expect((await events(session)).items).toMatchObject([
      { outcome: 'allowed', value: '500', fee: String(fee) },
      { outcome: 'rejected', value: '501', fee: String(fee) },
      { outcome: 'allowed', value: '1000', fee: String(fee) },
      { outcome: 'allowed', value: '1000', fee: String(fee) },
    ])
  })

  test('above the chain’s ceiling is refused where nobody set a cap', async () => {
    const session = await mint({ max_spend_total_native: String(10n ** 24n) })
    const ceiling = 5n * 10n ** 16n
    const price = (798n * 10n ** 18n) / 21_000n
    const refused = await signAs(app, session.token, transferRequest(anyAddress(), 1n, { gasPrice: price }))
    expect(violation(refused)).toEqual({
      reason: 'fee_cap_exceeded',
      layer: 'session',
      rule: 'max_fee_per_tx_native',
      limit: String(ceiling),
      actual: String(price * 21_000n),
    })
    expect(session.effective_policy.max_fee_per_tx_native).toBeNull()
  })
})

describe('logging in', () => {
  const siwe = (domain: string) =>
    createSiweMessage({
      address: wallet.address as Hex,
      chainId: 8453,
      domain,
      nonce: 'abcdefgh1',
      uri: `https://${domain}`,
      version: '1',
    })
  const login = (token: string, domain: string) =>
    signAs(app, token, { type: 'message', chain: 'base', message: siwe(domain) })

  test('is for the domains that the policy lists, and no others', async () => {
    const session = await mint({ allowed_sign_in_domains: ['app.example'] })
    expect((await login(session.token, 'app.example')).status).toBe(200)
    expect(violation(await login(session.token, 'evil.example'))).toEqual({
      reason: 'sign_in_not_allowed',
      layer: 'session',
      rule: 'allowed_sign_in_domains',
      limit: 'app.example',
      actual: 'evil.example',
    })
    expect(violation(await login((await mint()).token, 'app.example'))?.reason).toBe('sign_in_not_allowed')
  })

  test('by a text that a key is made from is refused whatever the policy says', async () => {
    const session = await mint({ allowed_sign_in_domains: ['app.example'] })
    const message = 'Sign this message to derive your trading key'
    expect(violation(await signAs(app, session.token, { ...hello, message }))?.reason).toBe(
      'message_not_allowed',
    )
  })
})

describe('caps of single assets', () => {
  test('count beside the one for all, and say what is left', async () => {
    const session = await mint({ max_spend_total: [{ asset: 'ETH', max: '900' }] })
    expect((await signAs(app, session.token, transferRequest(anyAddress(), 500n))).status).toBe(200)
    expect(violation(await signAs(app, session.token, transferRequest(anyAddress(), 401n)))).toMatchObject({
      reason: 'total_cap_exceeded',
      rule: 'max_spend_total',
      limit: '900',
      actual: '901',
    })
    expect(await mySession(app, session.token)).toMatchObject({ remaining_native: '400', status: 'active' })
    expect((await signAs(app, session.token, transferRequest(anyAddress(), 400n))).status).toBe(200)
    expect(await mySession(app, session.token)).toMatchObject({ remaining_native: '0', status: 'exhausted' })
  })

  test.each([[[{ asset: 'DOGE', max: '1' }]], [[1, 2].map((max) => ({ asset: 'ETH', max: String(max) }))]])(
    'that are unknown or doubled are refused: %j',
    async (max_spend_total) => {
      const json = mintBody(wallet.id, { max_spend_total })
      const answer = await app.call('POST', '/v1/s2s/agent-sessions', { sk: tenant.sk, json })
      expect(answer).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
    },
  )

  test('one cap over different native assets is minted with a warning', async () => {
    expect((await mint({ allowed_chains: ['base', 'ethereum'] })).warnings).toEqual([])
    const { warnings } = await mint({ allowed_chains: ['base', 'bitcoin'] })
    expect(warnings).toEqual([{ code: 'assets_differ', message: expect.stringContaining('ETH, BTC') }])
  })
})
