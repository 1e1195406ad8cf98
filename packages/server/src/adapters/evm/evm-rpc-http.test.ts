import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type EvmRpc, EvmRpcError } from '../../ports/evm-rpc.ts'
import { chainChecked } from './chain-checked.ts'
import { evmRpcHttp } from './evm-rpc-http.ts'
import { httpConnections, jsonRpcHttp } from './json-rpc-http.ts'
import { measureCalls } from './measure-call.ts'
import { recorded } from './testing/recorded.ts'
import { handled, refusal, type Script, type ScriptedNode, scriptedNode } from './testing/scripted-node.ts'

const connections = httpConnections()
const nodes: ScriptedNode[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})
afterAll(() => connections.close())

async function rpcOver(scripts: Script[], timeoutMs = 1_500) {
  const { log, lines, metrics, calls } = recorded()
  const servers = await Promise.all(scripts.map(scriptedNode))
  nodes.push(...servers)
  const rpc = evmRpcHttp({
    nodes: servers.map(({ url }, i) =>
      chainChecked(jsonRpcHttp({ url, name: `local rpc ${i + 1}`, connections }), { chainId: 31_337, log }),
    ),
    measure: measureCalls(metrics, 'local', 'rpc'),
    log,
    timeoutMs,
  })
  return { rpc, servers, lines, calls }
}

const failure = async (promise: Promise<unknown>): Promise<EvmRpcError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(EvmRpcError)
  return error as EvmRpcError
}

const to = '0x1111111111111111111111111111111111111111'
const only =
  (wanted: string, result: unknown): Script =>
  ({ method }) =>
    method === wanted ? result : undefined
const code = only('eth_getCode', '0x60')

describe('several nodes', () => {
  test.each<[string, Script]>([
    ['hangs', () => handled],
    [
      'is overloaded',
      (_, response) => {
        response.writeHead(429).end()
        return handled
      },
    ],
    ['is over its rate limit', only('eth_getCode', refusal(-32005, 'limit exceeded'))],
    ['broke', only('eth_getCode', refusal(-32603, 'internal error'))],
    ['answers nonsense', only('eth_getCode', { not: 'hex' })],
    ['is on another chain', only('eth_chainId', '0x1')],
  ])('serve while the first one %s, and it is left out from then on', async (_name, script) => {
    const { rpc, servers, lines } = await rpcOver([script, code], 600)
    expect(await rpc.code(to)).toBe('0x60')
    const asked = servers[0]?.methods.length
    for (let i = 0; i < 3; i++) expect(await rpc.code(to)).toBe('0x60')
    expect(servers[0]?.methods.length).toBe(asked)
    expect(lines.filter((line) => line.includes('A node failed'))).toHaveLength(1)
    expect(lines.join()).not.toContain('127.0.0.1')
  })

  test.each([
    ['a revert', refusal(3, 'execution reverted', '0x'), 'reverted'],
    ['a refusal', refusal(-32003, 'insufficient funds'), 'rejected'],
  ])('do not vote: %s of the first one is the answer', async (_name, answer, expected) => {
    const { rpc, servers } = await rpcOver([
      only('eth_estimateGas', answer),
      only('eth_estimateGas', '0x5208'),
    ])
    const error = await failure(rpc.estimateGas({ from: to, to, data: '0x', value: 0n }))
    expect(error.code).toBe(expected)
    expect(servers[1]?.methods).toEqual([])
  })

  test('are asked for a block that the first one does not have yet, which goes on serving', async () => {
    const block = { number: '0x9', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x1', baseFeePerGas: '0x7' }
    const both = ({ method }: { method: string }) => (method === 'eth_getCode' ? '0x60' : undefined)
    const { rpc, servers } = await rpcOver([
      both,
      (call) => (call.method === 'eth_getBlockByNumber' ? block : both(call)),
    ])
    expect(await rpc.block(9n)).toMatchObject({ number: 9n, timestamp: 1n, baseFeePerGas: 7n })
    await rpc.code(to)
    expect(servers[0]?.methods.at(-1)).toBe('eth_getCode')
  })

  test('none of which answers end with an error within the time limit', async () => {
    const { rpc, calls } = await rpcOver([() => handled, () => handled], 600)
    const startedAt = performance.now()
    const error = await failure(rpc.pendingNonce(to))
    expect(error).toMatchObject({ code: 'transport', reason: 'no usable answer (timed out)' })
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    expect(calls).toEqual(['local rpc eth_getTransactionCount failed'])
  })

  test('serve again after all of them failed', async () => {
    let isDown = true
    const script: Script = (call, response) => {
      if (!isDown) return code(call, response)
      response.destroy()
      return handled
    }
    const { rpc } = await rpcOver([script, script])
    expect((await failure(rpc.code(to))).code).toBe('transport')
    isDown = false
    expect(await rpc.code(to)).toBe('0x60')
  })
})

describe('the chain of a node', () => {
  test('is asked once, and again after a failure', async () => {
    let isCut = false
    const { rpc, servers } = await rpcOver([
      (call, response) => {
        if (!isCut) return code(call, response)
        response.destroy()
        return handled
      },
    ])
    const checks = () => servers[0]?.methods.filter((method) => method === 'eth_chainId').length
    for (let i = 0; i < 3; i++) await rpc.code(to)
    expect(checks()).toBe(1)
    isCut = true
    await failure(rpc.code(to))
    isCut = false
    await rpc.code(to)
    expect(checks()).toBe(2)
  })

  test('that is another one is never used', async () => {
    const { rpc, servers, lines } = await rpcOver([
      ({ method }) => (method === 'eth_chainId' ? '0x1' : '0x60'),
    ])
    for (let i = 0; i < 2; i++) expect((await failure(rpc.code(to))).code).toBe('transport')
    expect(servers[0]?.methods).toEqual(['eth_chainId', 'eth_chainId'])
    expect(lines.join()).toContain('on the wrong chain')
  })
})

type Read = (rpc: EvmRpc) => Promise<unknown>
const hash = `0x${'cd'.repeat(32)}`
const log = {
  address: to,
  topics: [hash],
  data: '0x',
  blockNumber: '0x5',
  blockHash: hash,
  transactionHash: hash,
  logIndex: '0x0',
}
const logsOf = (rpc: EvmRpc) =>
  rpc.logs({ address: to, topics: [[hash as `0x${string}`]], fromBlock: 5n, toBlock: 6n })

test.each<[string, string, Read, unknown]>([
  ['a block without a hash', 'eth_getBlockByNumber', (rpc) => rpc.block('latest'), { number: '0x1' }],
  [
    'another block',
    'eth_getBlockByNumber',
    (rpc) => rpc.block(9n),
    { number: '0x8', hash, timestamp: '0x1', baseFeePerGas: '0x1' },
  ],
  ['a call that returns half a byte', 'eth_call', (rpc) => rpc.call({ to, data: '0x' }), '0x1'],
  ['a nonce that is a number', 'eth_getTransactionCount', (rpc) => rpc.pendingNonce(to), 5],
  ['a nonce that is a fraction', 'eth_getTransactionCount', (rpc) => rpc.pendingNonce(to), '0x1.8'],
  ['code that is null', 'eth_getCode', (rpc) => rpc.code(to), null],
  ['fees of no block', 'eth_feeHistory', (rpc) => rpc.fees(), { baseFeePerGas: [] }],
  ['a log of another contract', 'eth_getLogs', logsOf, [{ ...log, address: hash.slice(0, 42) }]],
  ['a log of another topic', 'eth_getLogs', logsOf, [{ ...log, topics: [`0x${'00'.repeat(32)}`] }]],
  ['a log of another block', 'eth_getLogs', logsOf, [{ ...log, blockNumber: '0x7' }]],
  ['a log without a transaction', 'eth_getLogs', logsOf, [{ ...log, transactionHash: null }]],
])('%s is not an answer', async (_name, method, read, answer) => {
  const { rpc } = await rpcOver([
    (call) => (call.method === 'eth_blockNumber' ? '0x9' : only(method, answer)(call, undefined as never)),
  ])
  expect((await failure(read(rpc))).code).toBe('transport')
})

test('logs are asked only of a node that has reached the range', async () => {
  const script =
    (head: string): Script =>
    ({ method }) =>
      method === 'eth_blockNumber'
        ? head
        : method === 'eth_getLogs'
          ? head === '0x9'
            ? [log]
            : []
          : undefined
  const { rpc, servers } = await rpcOver([script('0x4'), script('0x9')])
  expect(await logsOf(rpc)).toMatchObject([{ blockNumber: 5n, logIndex: 0, removed: false }])
  expect(servers[0]?.methods).not.toContain('eth_getLogs')
  const behind = await rpcOver([script('0x4')])
  expect((await failure(logsOf(behind.rpc))).code).toBe('transport')
})

test('fees are twice the next base fee and the median tip, or the least tip on an idle chain', async () => {
  const baseFeePerGas = ['0x64', '0x65', '0x66', '0x3b9aca00']
  const busy = await rpcOver([
    only('eth_feeHistory', { baseFeePerGas, reward: [['0x3b9aca00'], ['0x77359400'], ['0x0']] }),
  ])
  expect(await busy.rpc.fees()).toEqual({
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
  const idle = await rpcOver([only('eth_feeHistory', { baseFeePerGas, reward: null })])
  expect(await idle.rpc.fees()).toEqual({
    maxFeePerGas: 2_001_000_000n,
    maxPriorityFeePerGas: 1_000_000n,
  })
})
