import { setTimeout as sleep } from 'node:timers/promises'
import { devContracts } from '@symbolon/dev/testing/chain'
import { liftRates, makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import {
  buildOp,
  built,
  confirmationsOf,
  expectReported,
  landed,
  monthsOf,
  newAccountOwner,
  type SmartAccountOwner,
  signOp,
  submitOp,
} from '@symbolon/testing/evm'
import { type JsonRpcProxy, jsonRpcProxy, type ProxyFault } from '@symbolon/testing/http'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const eurPerEther = 300n

let chain: SharedChain
let bundler: JsonRpcProxy
let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  chain = await sharedChain()
  bundler = await jsonRpcProxy(chain.bundlerUrl)
  const { rpcUrl, paymasterUrl } = chain
  app = await startTestApp({
    chains: [{ handle: 'local', rpcUrls: [rpcUrl], bundlerUrl: bundler.url, paymasterUrl, confirmations: 2 }],
    prices: {
      fixed: new Map([['ETH', eurPerEther * 10n ** 8n]]),
      feeds: new Map(),
      deviationMaxPercent: 50,
    },
    userOpTimes: { waitMs: 300, resendSeconds: 0.5, roundMs: 100 },
  })
  tenant = await makeTenant(app)
  await liftRates(app)
})
afterEach(() => bundler?.heal())
afterAll(async () => {
  await app?.stop()
  await bundler?.stop()
})

const other: Hex = `0x${'ab'.repeat(32)}`
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

const lie = { userOpHash: other, success: true, receipt: { status: '0x1', transactionHash: other } }
const unforwarded: [name: string, faults: [method: string, fault: ProxyFault][]][] = [
  ['another hash', [['eth_sendUserOperation', { kind: 'answer', result: other }]]],
  ['no hash', [['eth_sendUserOperation', { kind: 'answer', result: null }]]],
  ['a receipt', [['eth_sendUserOperation', { kind: 'answer', result: lie }]]],
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
      ['eth_getUserOperationReceipt', { kind: 'answer', result: lie }],
    ],
  ],
]

test('an operation that the bundler does not have is never confirmed, and lands once when it does, whatever the bundler says', async () => {
  const ops = []
  for (const [name, faults] of unforwarded) {
    const op = await ready()
    for (const [method, fault] of faults) bundler.fault(method, fault)
    const { status, data } = await op.submit()
    expect({ status, data }, name).toMatchObject({
      status: 200,
      data: { status: 'submitted', success: null, transaction_hash: null, actual_gas_cost_wei: null },
    })
    expect(await confirmationsOf(chain, op.hash)).toEqual([])
    ops.push(op)
  }
  bundler.heal()
  for (const op of ops) await expectReported(app, chain, op, eurPerEther)
  expect(bundler.calls('eth_getUserOperationReceipt')).toBe(0)
})

test('a bundler that garbles the answer to what it took makes nothing land twice', async () => {
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
    await landed(chain, op.hash)
    // Rounds of the settlement under the fault, which leave no trace where all is well.
    await sleep(700)
    bundler.heal()
    await expectReported(app, chain, op, eurPerEther)
  }
})

test('a bundler that asks an absurd price or estimates nonsense costs no month anything', async () => {
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
