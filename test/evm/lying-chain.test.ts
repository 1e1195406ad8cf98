import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, encodeFunctionData, type Hex, http } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { devContracts } from '../../packages/dev/src/chain/dev-contracts.ts'
import type { DevChain } from '../../packages/dev/src/chain/start-dev-chain.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { ownChain } from '../support/chain.ts'
import { type JsonRpcProxy, jsonRpcProxy, type ProxyFault } from '../support/json-rpc-proxy.ts'
import {
  buildOp,
  built,
  endOf,
  monthsOf,
  newAccountOwner,
  readOp,
  type SmartAccountOwner,
  signOp,
  submitOp,
} from '../support/smart-account-owner.ts'
import { liftRates, makeTenant, type Tenant } from '../support/tenant.ts'

const eurPerEther = 300n

let chain: DevChain
let node: JsonRpcProxy
let bundler: JsonRpcProxy
let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  chain = await ownChain()
  node = await jsonRpcProxy(chain.rpcUrl)
  bundler = await jsonRpcProxy(chain.bundlerUrl)
  const { paymasterUrl } = chain
  app = await startTestApp({
    chains: [
      { handle: 'local', rpcUrls: [node.url], bundlerUrl: bundler.url, paymasterUrl, confirmations: 2 },
    ],
    prices: {
      fixed: new Map([['ETH', eurPerEther * 10n ** 8n]]),
      feeds: new Map(),
      deviationMaxPercent: 50,
    },
    userOpTimes: { waitMs: 500, resendSeconds: 0.5, roundMs: 100 },
  })
  tenant = await makeTenant(app)
  await liftRates(app)
})
afterEach(() => {
  node?.heal()
  bundler?.heal()
})
afterAll(async () => {
  await app?.stop()
  await Promise.all([node?.stop(), bundler?.stop()])
  await chain?.stop()
})

const calls = () => [
  {
    to: chain.contracts.target,
    data: encodeFunctionData({ abi: devContracts().DevTarget.abi, functionName: 'poke' }),
  },
]
type Ready = { owner: SmartAccountOwner; hash: Hex; submit(): ReturnType<typeof submitOp> }
async function ready(): Promise<Ready> {
  const owner = await newAccountOwner(app, tenant)
  const { user_op_hash: hash } = await built(app, owner, calls())
  const signature = await signOp(app, owner, hash)
  return { owner, hash, submit: () => submitOp(app, owner, hash, signature) }
}

const landings = (hash: Hex) =>
  createPublicClient({ transport: http(chain.rpcUrl) }).getContractEvents({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    args: { userOpHash: hash },
    fromBlock: 0n,
  })

async function landed(hash: Hex): Promise<void> {
  for (let i = 0; (await landings(hash)).length === 0; i++) {
    if (i === 200) throw new Error('it does not land')
    await sleep(50)
  }
  // Deep enough to count: whatever keeps it open now is what the node says.
  await chain.fund('0x000000000000000000000000000000000000dEaD', 1n)
}

/** It is on the chain once, read as it is there, and charged once. */
async function expectTruth({ owner, hash }: Ready): Promise<void> {
  const status = await endOf(app, owner, hash)
  const events = await landings(hash)
  expect(events).toHaveLength(1)
  const [event] = events
  expect(status).toMatchObject({
    status: 'confirmed',
    success: true,
    transaction_hash: event?.transactionHash,
    block_number: Number(event?.blockNumber),
    actual_gas_cost_wei: event?.args.actualGasCost?.toString(),
  })
  const micro = ((event?.args.actualGasCost ?? 0n) * eurPerEther + 10n ** 12n - 1n) / 10n ** 12n
  expect(await monthsOf(app, owner.wallet.id)).toMatchObject([{ reserved: 0, settled: Number(micro) }])
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

describe('a node', () => {
  test('that lies about logs or blocks never makes an operation confirmed', async () => {
    const op = await ready()
    node.fault(ofLogs, { kind: 'answer', result: [] })
    expect((await op.submit()).data.status).toBe('submitted')
    await landed(op.hash)
    for (const [name, method, fault] of lies) {
      node.heal()
      // Nothing of the truth in between.
      node.fault(ofLogs, { kind: 'answer', result: [] })
      node.fault(method, fault)
      const before = node.calls(method)
      await sleep(300)
      expect(node.calls(method) - before, `${name} was told`).toBeGreaterThan(0)
      const startedAt = performance.now()
      const { data } = await readOp(app, op.owner, op.hash)
      expect(performance.now() - startedAt).toBeLessThan(1_000)
      expect(data, name).toMatchObject({ status: 'submitted', success: null, transaction_hash: null })
    }
    node.heal()
    await expectTruth(op)
  })

  test('that hides for long what landed cannot keep it from being charged', async () => {
    const op = await ready()
    node.fault(ofLogs, { kind: 'answer', result: [] })
    await op.submit()
    await landed(op.hash)
    // Its nonce is used and nothing is logged: it looks as if another operation had taken its place.
    for (let i = 0; i < 8; i++) {
      await chain.fund('0x000000000000000000000000000000000000dEaD', 1n)
      await sleep(150)
      expect((await readOp(app, op.owner, op.hash)).data.status).not.toBe('confirmed')
    }
    node.heal()
    for (let i = 0; i < 100 && (await readOp(app, op.owner, op.hash)).data.status !== 'confirmed'; i++)
      await sleep(100)
    await expectTruth(op)
  })

  test('that lies about its head or its fees gets nothing built that costs more than the month', async () => {
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
})

describe('a bundler', () => {
  const told = { userOpHash: other, success: true, receipt: { status: '0x1', transactionHash: other } }
  const unforwarded: [name: string, faults: [method: string, fault: ProxyFault][]][] = [
    ['another hash', [['eth_sendUserOperation', { kind: 'answer', result: other }]]],
    ['no hash', [['eth_sendUserOperation', { kind: 'answer', result: null }]]],
    ['a receipt', [['eth_sendUserOperation', { kind: 'answer', result: told }]]],
    ['a web page', [['eth_sendUserOperation', { kind: 'body', status: 200, text: '<html>' }]]],
    ['a broken gateway', [['eth_sendUserOperation', { kind: 'body', status: 503, text: '' }]]],
    [
      'that it knows it',
      [['eth_sendUserOperation', { kind: 'error', error: { code: -32602, message: 'already known' } }]],
    ],
    [
      'that it has landed',
      [
        [
          'eth_sendUserOperation',
          { kind: 'error', error: { code: -32500, message: 'AA25 invalid account nonce' } },
        ],
        [
          'eth_getUserOperationByHash',
          { kind: 'answer', result: { blockNumber: '0x1', transactionHash: other } },
        ],
        ['eth_getUserOperationReceipt', { kind: 'answer', result: told }],
      ],
    ],
  ]

  test('whatever it says, an operation that it has not got is not confirmed, and lands once when it has', async () => {
    const ops = []
    for (const [name, faults] of unforwarded) {
      const op = await ready()
      for (const [method, fault] of faults) bundler.fault(method, fault)
      const { status, data } = await op.submit()
      expect({ status, data }, name).toMatchObject({
        status: 200,
        data: { status: 'submitted', success: null, transaction_hash: null, actual_gas_cost_wei: null },
      })
      expect(await landings(op.hash)).toEqual([])
      ops.push(op)
    }
    bundler.heal()
    for (const op of ops) await expectTruth(op)
    expect(bundler.calls('eth_getUserOperationReceipt')).toBe(0)
  })

  test('that garbles the answer to what it took makes nothing land twice', async () => {
    const garbles: ProxyFault[] = [
      { kind: 'alter', with: (answer) => ({ ...answer, result: other }) },
      { kind: 'alter', with: () => 'no' },
      {
        kind: 'alter',
        with: ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'internal' } }),
      },
      { kind: 'drop' },
    ]
    for (const fault of garbles) {
      const op = await ready()
      bundler.fault('eth_sendUserOperation', fault)
      expect((await op.submit()).status).toBe(200)
      await landed(op.hash)
      await sleep(700)
      bundler.heal()
      await expectTruth(op)
    }
  })

  test('that asks an absurd price or estimates nonsense costs no month anything', async () => {
    const owner = await newAccountOwner(app, tenant)
    await built(app, owner, calls())
    const [usual] = await monthsOf(app, owner.wallet.id)
    bundler.fault('pimlico_getUserOperationGasPrice', {
      kind: 'answer',
      result: { standard: { maxFeePerGas: '0xffffffffffffff', maxPriorityFeePerGas: '0x1' } },
    })
    await built(app, owner, calls())
    const [after] = await monthsOf(app, owner.wallet.id)
    expect(after?.reserved).toBeLessThan(4 * (usual?.reserved ?? 0))
    bundler.heal()
    const estimates = [null, {}, [], { callGasLimit: '0xffffffffffffffffffffffff' }, { callGasLimit: -1 }]
    for (const result of estimates) {
      bundler.fault('eth_estimateUserOperationGas', { kind: 'answer', result })
      expect(await buildOp(app, owner, calls())).toMatchObject({
        status: 502,
        error: { code: 'bundler_failed' },
      })
    }
    expect(await monthsOf(app, owner.wallet.id)).toEqual([after])
  })
})
