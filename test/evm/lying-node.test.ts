import { type DevChain, devContracts } from '@symbolon/dev/testing/chain'
import { liftRates, makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { ownChain } from '@symbolon/testing/chain'
import {
  buildOp,
  built,
  expectReported,
  landed,
  monthsOf,
  newAccountOwner,
  readOp,
  type SmartAccountOwner,
  signOp,
  submitOp,
} from '@symbolon/testing/evm'
import { type JsonRpcProxy, jsonRpcProxy, type ProxyFault } from '@symbolon/testing/http'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const eurPerEther = 300n
const nobody: Hex = '0x000000000000000000000000000000000000dEaD'

let chain: DevChain
let node: JsonRpcProxy
let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  chain = await ownChain()
  node = await jsonRpcProxy(chain.rpcUrl)
  const { bundlerUrl, paymasterUrl } = chain
  app = await startTestApp({
    chains: [{ handle: 'local', rpcUrls: [node.url], bundlerUrl, paymasterUrl, confirmations: 2 }],
    prices: {
      fixed: new Map([['ETH', eurPerEther * 10n ** 8n]]),
      feeds: new Map(),
      deviationMaxPercent: 50,
    },
    // Nothing is due again by itself: only then is it asked whether a nonce is used.
    userOpTimes: { waitMs: 300, resendSeconds: 600, roundMs: 50 },
  })
  tenant = await makeTenant(app)
  await liftRates(app)
})
afterEach(() => node?.heal())
afterAll(async () => {
  await app?.stop()
  await node?.stop()
  await chain?.stop()
})

const calls = () => [
  {
    to: chain.contracts.target,
    data: encodeFunctionData({ abi: devContracts().DevTarget.abi, functionName: 'poke' }),
  },
]

/** A fresh account's operation, landed on the chain while the node shows no logs. */
async function hidden(): Promise<{ owner: SmartAccountOwner; hash: Hex }> {
  const owner = await newAccountOwner(app, tenant)
  const { user_op_hash: hash } = await built(app, owner, calls())
  node.fault(ofLogs, { kind: 'answer', result: [] })
  const { data } = await submitOp(app, owner, hash, await signOp(app, owner, hash))
  expect(data.status).toBe('submitted')
  await landed(chain, hash)
  // Deep enough to count: whatever keeps it open now is what the node says.
  await chain.fund(nobody, 1n)
  return { owner, hash }
}

type Fields = Record<string, unknown>
const other: Hex = `0x${'ab'.repeat(32)}`
/** Changes the answered logs, or the answered block. */
const logs = (change: (log: Fields) => unknown): ProxyFault => ({
  kind: 'alter',
  with: (answer) => ({ ...answer, result: (answer['result'] as Fields[]).map(change) }),
})
const topic = (i: number, value: Hex) =>
  logs((log) => ({ ...log, topics: (log['topics'] as Hex[]).map((topic, k) => (k === i ? value : topic)) }))
const block = (change: (block: Fields) => unknown): ProxyFault => ({
  kind: 'alter',
  with: (answer) => ({ ...answer, result: change(answer['result'] as Fields) }),
})
const moved = (log: Fields, by: bigint) => ({
  ...log,
  blockNumber: `0x${(BigInt(log['blockNumber'] as Hex) + by).toString(16)}`,
})

const [ofLogs, ofBlocks] = ['eth_getLogs', 'eth_getBlockByNumber']
const lies: [name: string, method: string, fault: ProxyFault][] = [
  ['logs hidden', ofLogs, { kind: 'answer', result: [] }],
  ['another block hash', ofLogs, logs((log) => ({ ...log, blockHash: other }))],
  ['a removed log', ofLogs, logs((log) => ({ ...log, removed: true }))],
  ["another EntryPoint's log", ofLogs, logs((log) => ({ ...log, address: chain.paymaster }))],
  ['another event', ofLogs, topic(0, other)],
  ["another operation's log", ofLogs, topic(1, other)],
  ['another sender', ofLogs, topic(2, `0x${'ab'.repeat(20).padStart(64, '0')}`)],
  ['another nonce', ofLogs, logs((log) => ({ ...log, data: `${other}${String(log['data']).slice(66)}` }))],
  ['data cut off', ofLogs, logs((log) => ({ ...log, data: String(log['data']).slice(0, -64) }))],
  ['a pending log', ofLogs, logs((log) => ({ ...log, blockNumber: null, blockHash: null }))],
  ['a later block', ofLogs, logs((log) => moved(log, 1n))],
  ['an earlier block', ofLogs, logs((log) => moved(log, -1n))],
  ['nothing in a list', ofLogs, { kind: 'answer', result: [null] }],
  ['no list', ofLogs, { kind: 'answer', result: 'yes' }],
  ['no logs', ofLogs, { kind: 'answer', result: null }],
  ['an error', ofLogs, { kind: 'error', error: { code: -32000, message: 'header not found' } }],
  ['a web page', ofLogs, { kind: 'body', status: 200, text: '<html>confirmed</html>' }],
  ['a broken gateway', ofLogs, { kind: 'body', status: 502, text: '' }],
  ['no blocks', ofBlocks, { kind: 'answer', result: null }],
  ['other blocks', ofBlocks, block((head) => ({ ...head, hash: other }))],
  ['a chain of one block', ofBlocks, block((head) => ({ ...head, number: '0x1' }))],
  ['a hanging node', ofLogs, { kind: 'hang' }],
]

test('a node that lies about logs or blocks never makes an operation confirmed', async () => {
  const op = await hidden()
  for (const [name, method, fault] of lies) {
    node.heal()
    // Nothing of the truth in between.
    node.fault(ofLogs, { kind: 'answer', result: [] })
    node.fault(method, fault)
    // Two rounds of it, or one that it hangs in.
    const before = node.calls(method)
    const rounds = fault.kind === 'hang' ? 1 : 3
    await expect.poll(() => node.calls(method) - before, { message: name }).toBeGreaterThanOrEqual(rounds)
    const startedAt = performance.now()
    const { data } = await readOp(app, op.owner, op.hash)
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    expect(data, name).toMatchObject({ status: 'submitted', success: null, transaction_hash: null })
  }
  node.heal()
  await expectReported(app, chain, op, eurPerEther)
})

test('a node that hides for long what landed cannot keep it from being charged', async () => {
  const op = await hidden()
  // Its nonce is used and nothing is logged: it looks as if another operation had taken its place.
  await app.sql`update user_operations set next_send_at = app_now() where hash = ${op.hash}`
  for (let i = 0; i < 8; i++) {
    const before = node.calls(ofLogs)
    await chain.fund(nobody, 1n)
    await expect.poll(() => node.calls(ofLogs)).toBeGreaterThan(before)
    expect((await readOp(app, op.owner, op.hash)).data.status).not.toBe('confirmed')
  }
  node.heal()
  await expect.poll(async () => (await readOp(app, op.owner, op.hash)).data.status).toBe('confirmed')
  await expectReported(app, chain, op, eurPerEther)
})

test('a node that lies about its head or its fees gets nothing built that costs more than the month', async () => {
  const owner = await newAccountOwner(app, tenant)
  const fees = (fee: Hex): ProxyFault => ({
    kind: 'alter',
    with: (answer) => ({
      ...answer,
      result: { ...(answer['result'] as Fields), baseFeePerGas: Array.from({ length: 11 }, () => fee) },
    }),
  })
  for (const [method, fault] of [
    [ofBlocks, block((head) => ({ ...head, baseFeePerGas: '0xffffffffffff' }))],
    [ofBlocks, block((head) => ({ ...head, timestamp: '0x0' }))],
    [ofBlocks, block(() => null)],
    ['eth_feeHistory', fees('0xffffffffffffffff')],
    ['eth_feeHistory', { kind: 'answer', result: {} }],
    ['eth_getCode', { kind: 'answer', result: null }],
    ['eth_chainId', { kind: 'answer', result: '0x1' }],
  ] as const) {
    node.fault(method, fault)
    const { status } = await buildOp(app, owner, calls())
    expect([200, 402, 422, 502], `${method} ${JSON.stringify(fault)}`).toContain(status)
    node.heal()
  }
  const months = await monthsOf(app, owner.wallet.id)
  for (const { reserved } of months) expect(reserved).toBeLessThanOrEqual(10_000_000)
})
