import type { SentAgentTransaction, WalletWithIdentity } from '@symbolon/api'
import { type DevChain, type JsonRpc, jsonRpc } from '@symbolon/dev/testing/chain'
import type { EvmRpc } from '@symbolon/server/testing/ports'
import { fundsLeft } from '@symbolon/server/testing/transactions'
import { anyAddress, eventsOf, mintSession, mySession, violation } from '@symbolon/testing/agents'
import {
  type Answer,
  liftRates,
  makeTenant,
  makeWalletFor,
  newMember,
  type PortalUser,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { ownChain } from '@symbolon/testing/chain'
import { type JsonRpcProxy, jsonRpcProxy } from '@symbolon/testing/http'
import { type Hex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'

type Sent = z.output<typeof SentAgentTransaction>

let chain: DevChain
let node: JsonRpcProxy
let rpc: JsonRpc
let app: TestApp
let second: TestApp
let tenant: Tenant
let owner: PortalUser

beforeAll(async () => {
  chain = await ownChain({ withBundler: false })
  node = await jsonRpcProxy(chain.rpcUrl)
  rpc = jsonRpc(chain.rpcUrl)
  const chains = [{ handle: 'local', rpcUrls: [node.url], confirmations: 1 }]
  app = await startTestApp({ chains })
  second = await startTestApp({ installation: app, chains })
  await liftRates(app)
  tenant = await makeTenant(app)
  owner = await newMember(app, tenant.id, 'owner')
})
afterEach(() => node.heal())
afterAll(async () => {
  await second?.stop()
  await app?.stop()
  rpc?.close()
  await node?.stop()
  await chain?.stop()
})

const ether = (amount: string) => parseEther(amount).toString()
const quarter = { max_spend_per_tx_native: ether('1'), max_spend_total_native: ether('0.25') }

/** A session for a wallet that has so much ether. */
async function newSender(funds: string, more: Record<string, unknown> = quarter) {
  const wallet: WalletWithIdentity = await makeWalletFor(app, tenant)
  if (funds !== '0') await chain.fund(wallet.address as Hex, parseEther(funds))
  return mintSession(app, tenant, wallet.id, more)
}
type Sender = Awaited<ReturnType<typeof newSender>>

const send = ({ token }: Sender, value: string, more: object = {}, by = app): Promise<Answer<Sent>> =>
  by.call('POST', '/v1/agents/me/transactions', {
    token,
    json: { chain: 'local', to: anyAddress(), value: ether(value), ...more },
  })
const outcomes = async (session: Sender) =>
  (await eventsOf(app, owner, session)).items.map(({ outcome, reason_code }) => `${outcome} ${reason_code}`)

const neededOf = (error: Answer['error']) => {
  const { needed } = (error?.details ?? {}) as { needed?: string }
  if (needed === undefined) throw new Error('It is not said what is needed.')
  return BigInt(needed)
}

describe('a wallet with too little money', () => {
  test('burns no budget, however often a model tries, and says what is missing', async () => {
    const session = await newSender('0')
    for (const value of ['0.10', '0.09', '0.08']) {
      const { status, error } = await send(session, value)
      expect([status, error?.code]).toEqual([422, 'insufficient_funds'])
      const needed = neededOf(error)
      expect(error?.details).toEqual({ needed: needed.toString(), balance: '0', asset: 'ETH' })
      expect(needed).toBeGreaterThan(parseEther(value))
      expect(error?.message).toMatch(
        /^The wallet has 0 ETH, but this transaction needs up to 0\.\d+ ETH for its value and fee\.$/,
      )
    }
    expect(await mySession(app, session.token)).toMatchObject({ spent: [], reserved_native: '0' })
    expect(await outcomes(session)).toEqual(Array(3).fill('error insufficient_funds'))
    const { items } = await eventsOf(app, owner, session)
    expect(items[0]).toMatchObject({ value: ether('0.08'), asset: 'ETH', tx_hash: null })
    const made = await app.sql`select from agent_transactions where session_id = ${session.id}`
    expect(made.length).toBe(0)
  })

  test('that has the value but not the fee has too little', async () => {
    const session = await newSender('0.1')
    const short = await send(session, '0.1')
    expect(short.error?.details).toMatchObject({ balance: ether('0.1') })
    const fee = neededOf(short.error) - parseEther('0.1')
    const { status, text, data } = await send(session, '0', {
      value: (parseEther('0.1') - 2n * fee).toString(),
    })
    expect(status, text).toBe(200)
    expect(data.nonce).toBe('0x0')
  })

  test('is reported too where the node estimates only what can be paid', async () => {
    const session = await newSender('0.01')
    const error = { code: -32000, message: 'insufficient funds for transfer' }
    node.fault('eth_estimateGas', { kind: 'error', error })
    expect(await send(session, '0.02')).toMatchObject({
      status: 422,
      error: { code: 'insufficient_funds', details: { needed: ether('0.02'), balance: ether('0.01') } },
    })
    expect((await send(session, '0.001')).error?.code).toBe('estimate_gas_reverted')
    expect(await outcomes(session)).toEqual(['error estimate_gas_reverted', 'error insufficient_funds'])
  })

  test('is refused by the policy first where that refuses anyway: fees and totals too', async () => {
    const fees = await newSender('0', { ...quarter, max_fee_per_tx_native: '1' })
    expect(violation(await send(fees, '0.1'))).toMatchObject({ reason: 'fee_cap_exceeded' })
    const totals = await newSender('0.2')
    expect((await send(totals, '0.15')).status).toBe(200)
    expect(violation(await send(totals, '0.12'))).toMatchObject({
      reason: 'total_cap_exceeded',
      limit: ether('0.25'),
      actual: expect.stringMatching(/^270\d{15}$/),
    })
    expect((await send(totals, '0.09')).error?.code).toBe('insufficient_funds')
    expect(await outcomes(totals)).toEqual([
      'error insufficient_funds',
      'rejected total_cap_exceeded',
      'allowed null',
    ])
  })

  test('that is not known does not allow a signature', async () => {
    const session = await newSender('0.1')
    node.fault('eth_getBalance', { kind: 'cut' })
    expect((await send(session, '0.01')).error?.code).toBe('rpc_failed')
    expect(await mySession(app, session.token)).toMatchObject({ spent: [] })
  })
})

test('money of pending transactions does not count as the wallet’s', async () => {
  const session = await newSender('0.2', { ...quarter, max_spend_total_native: ether('1') })
  await rpc.call('evm_setAutomine', [false])
  try {
    expect((await send(session, '0.15')).data.nonce).toBe('0x0')
    expect((await send(session, '0.1')).error?.code).toBe('insufficient_funds')
  } finally {
    await rpc.call('evm_setAutomine', [true])
    await rpc.call('evm_mine', [])
  }
})

describe('sends of the same moment that only together are too much', () => {
  const roomy = { max_spend_per_tx_native: ether('1'), max_spend_total_native: ether('10') }

  /** Eight of 0.1 each, from a wallet that has it for three, in two processes. */
  async function sendEight() {
    const session = await newSender('0.35', roomy)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => send(session, '0.1', {}, i % 2 === 0 ? app : second)),
    )
    const codes = answers.map(({ status, error }) => error?.code ?? status)
    return { session, answers, codes }
  }

  const expectThree = async ({ session, answers, codes }: Awaited<ReturnType<typeof sendEight>>) => {
    expect(codes.sort()).toEqual([200, 200, 200, ...Array(5).fill('insufficient_funds')])
    const refused = answers.find(({ status }) => status === 422)
    expect(refused?.error?.message).toMatch(/^The wallet has 0\.0\d+ ETH/)
    expect(await mySession(app, session.token)).toMatchObject({
      spent: [{ asset: 'ETH', spent: expect.stringMatching(/^300\d{15}$/) }],
      reserved_native: '0',
    })
  }

  test('are as many as the wallet can pay; the others burn no budget', async () => {
    await expectThree(await sendEight())
  })

  test('so too while the node is silent about what it gets', async () => {
    node.fault('eth_sendRawTransaction', { kind: 'hang' })
    const sent = await sendEight()
    node.heal()
    await expectThree(sent)
  })
})

test('pending amounts of one chain are subtracted on that chain alone', async () => {
  const session = await newSender('0.35', quarter)
  node.fault('eth_sendRawTransaction', { kind: 'hang' })
  expect((await send(session, '0.1')).status).toBe(200)
  const [sent] = await app.sql<{ walletId: string; sender: Hex }[]>`
    select wallet_id as "walletId", sender from agent_transactions where session_id = ${session.id}`
  if (sent === undefined) throw new Error('Nothing was sent.')
  const balance = parseEther('0.35')
  const rpc = { pendingNonce: async () => 0n, pendingBalance: async () => balance } as unknown as EvmRpc
  const left = (chain: string) => fundsLeft(app.sql, { ...sent, chain, rpc })
  expect(await left('local')).toBeLessThanOrEqual(balance - parseEther('0.1'))
  expect(await left('local-2')).toBe(balance)
})

test('an address with one letter in the wrong case is paid by nobody; one in one case is', async () => {
  const session = await newSender('0.2')
  const to = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
  const mistyped = '0xd8da6BF26964aF9D7eEd9e03E53415D37aA96045'
  const refused = await send(session, '0.001', { to: mistyped })
  expect(refused).toMatchObject({ status: 400, error: { code: 'bad_to' } })
  expect(refused.error?.message).toContain('EIP-55')
  expect(await outcomes(session)).toEqual(['error bad_to'])
  for (const sound of [to, to.toLowerCase(), `0x${to.slice(2).toUpperCase()}`]) {
    const { status, text } = await send(session, '0.001', { to: sound })
    expect(status, text).toBe(200)
  }
})
