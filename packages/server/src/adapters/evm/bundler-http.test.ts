import { entryPoint, type Hex, type UserOperation } from '@symbolon/networks/evm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { BundlerError } from '../../ports/bundler.ts'
import { bundlerHttp } from './bundler-http.ts'
import { chainChecked } from './chain-checked.ts'
import { httpConnections, jsonRpcHttp } from './json-rpc-http.ts'
import { measureCalls } from './measure-call.ts'
import { recorded } from './testing/recorded.ts'
import { cut, refusal, type Script, type ScriptedNode, scriptedNode } from './testing/scripted-node.ts'

const connections = httpConnections()
const nodes: ScriptedNode[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})
afterAll(() => connections.close())

async function bundlerOver(script: Script) {
  const { log, metrics, calls } = recorded()
  const server = await scriptedNode(script)
  nodes.push(server)
  const clock = { now: 0, nowMs: () => clock.now }
  const rpc = jsonRpcHttp({ url: server.url, name: 'local bundler', connections })
  const measure = measureCalls(metrics, 'local', 'bundler')
  const bundler = bundlerHttp({ rpc: chainChecked(rpc, { chainId: 31_337, log }), measure, clock })
  return { bundler, server, clock, calls }
}

const only =
  (wanted: string, result: unknown): Script =>
  ({ method }) =>
    method === wanted ? result : undefined

const address: Hex = '0x1111111111111111111111111111111111111111'
const hash: Hex = `0x${'ab'.repeat(32)}`
const op: UserOperation = {
  sender: address,
  nonce: 1n << 64n,
  callData: '0x1234',
  callGasLimit: 1n,
  verificationGasLimit: 2n,
  preVerificationGas: 3n,
  maxFeePerGas: 4n,
  maxPriorityFeePerGas: 5n,
  signature: '0x00',
}
const sponsored = { ...op, paymaster: address, paymasterData: '0x' as Hex, paymasterVerificationGasLimit: 6n }

describe('an estimate', () => {
  const estimate = async (script: Script, given = sponsored as typeof op) =>
    (await bundlerOver(script)).bundler.estimate(given)
  const method = 'eth_estimateUserOperationGas'
  const gas = { callGasLimit: '0x64', verificationGasLimit: 200, preVerificationGas: '300' }
  const limits = { callGasLimit: 100n, verificationGasLimit: 200n, preVerificationGas: 300n }

  test('reads hex, decimal texts and numbers, and ignores what is added', async () => {
    const added = {
      paymasterVerificationGasLimit: '0x190',
      paymasterPostOpGasLimit: '0x1',
      verificationGas: '0x9',
    }
    expect(await estimate(only(method, { ...gas, ...added }))).toEqual({
      ...limits,
      paymasterVerificationGasLimit: 400n,
      paymasterPostOpGasLimit: 1n,
    })
  })

  test('takes paymaster limits that the bundler leaves out from the draft', async () => {
    expect(await estimate(only(method, { ...gas, paymasterPostOpGasLimit: null }))).toEqual({
      ...limits,
      paymasterVerificationGasLimit: 6n,
      paymasterPostOpGasLimit: 0n,
    })
  })

  test('has no paymaster limits without a paymaster', async () => {
    expect(await estimate(only(method, { ...gas, paymasterVerificationGasLimit: '0x0' }), op)).toEqual(limits)
  })

  test.each([{}, { ...gas, callGasLimit: -1 }, { ...gas, callGasLimit: '0xffffffffffff' }, null, 'none'])(
    'that is %o is none',
    async (result) => {
      await expect(estimate(only(method, result))).rejects.toMatchObject({ code: 'transport' })
    },
  )

  const selector = '0x590a5151'
  test.each([
    [-32521, 'UserOperation reverted during simulation with reason: 0x', 'execution reverted'],
    [-32521, `UserOperation reverted during simulation with reason: ${selector}`, selector],
    [-32521, 'execution reverted: no', 'no'],
    [-32521, 'execution reverted: AA99', 'AA99'],
  ])('with a call that reverts (%i %s) is reverted with its reason', async (code, message, reason) => {
    await expect(estimate(only(method, refusal(code, message)))).rejects.toMatchObject({
      code: 'reverted',
      reason,
    })
  })

  test.each([
    [-32500, "UserOperation reverted during simulation with reason: AA21 didn't pay prefund"],
    [-32501, 'UserOperation reverted during simulation with reason: AA33 reverted 0x'],
    [-32602, 'sender is wanted'],
    [-32504, 'paymaster is throttled'],
  ])('that the bundler refuses (%i %s) is rejected', async (code, message) => {
    const error = await estimate(only(method, refusal(code, message))).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BundlerError)
    expect(error).toMatchObject({ code: 'rejected', reason: message })
  })

  test.each([-32603, -32005])('that breaks the bundler (%i) is not an answer', async (code) => {
    await expect(estimate(only(method, refusal(code, 'oh')))).rejects.toMatchObject({ code: 'transport' })
  })
})

describe('the gas price', () => {
  const method = 'pimlico_getUserOperationGasPrice'

  test('is the standard one', async () => {
    const price = { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' }
    const { bundler } = await bundlerOver(only(method, { slow: price, standard: price, fast: price }))
    expect(await bundler.gasPrice()).toEqual({ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n })
  })

  test('is not asked for again for ten minutes when the bundler has no such method', async () => {
    const { bundler, server, clock } = await bundlerOver(only(method, refusal(-32601, 'no such method')))
    const asked = () => server.methods.filter((name) => name === method).length
    expect(await bundler.gasPrice()).toBeUndefined()
    clock.now = 599_999
    expect(await bundler.gasPrice()).toBeUndefined()
    expect(asked()).toBe(1)
    clock.now = 600_001
    await bundler.gasPrice()
    expect(asked()).toBe(2)
  })

  test('with a tip above the bound is not an answer', async () => {
    const price = { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }
    const { bundler } = await bundlerOver(only(method, { standard: price }))
    await expect(bundler.gasPrice()).rejects.toMatchObject({ code: 'transport' })
  })
})

describe('a send', () => {
  const method = 'eth_sendUserOperation'
  const send = async (script: Script) => {
    const { bundler, calls } = await bundlerOver(script)
    return { sending: await bundler.send(op, hash), counted: calls.at(-1)?.split(' ').at(-1) }
  }

  test('is accepted with our hash', async () => {
    const { bundler, server } = await bundlerOver(only(method, hash.toUpperCase().replace('X', 'x')))
    expect(await bundler.send(op, hash)).toEqual({ outcome: 'accepted' })
    expect(server.params.at(-1)).toEqual([
      expect.objectContaining({ nonce: '0x10000000000000000', signature: '0x00' }),
      entryPoint,
    ])
  })

  test('of what the bundler has already is accepted', async () => {
    const { sending, counted } = await send(only(method, refusal(-32602, 'Already known')))
    expect([sending.outcome, counted]).toEqual(['accepted', 'ok'])
  })

  test.each(['AA25 invalid account nonce', 'AA10 sender already constructed'])(
    'of what has landed is accepted, though refused with %s',
    async (message) => {
      const landed =
        (found: unknown): Script =>
        ({ method: called }) =>
          called === method ? refusal(-32500, message) : called === 'eth_chainId' ? undefined : found
      expect((await send(landed({ transactionHash: hash }))).sending.outcome).toBe('accepted')
      expect((await send(landed(null))).sending.outcome).toBe('rejected')
    },
  )

  test('that the bundler refuses is rejected with its reason', async () => {
    const { sending, counted } = await send(only(method, refusal(-32507, 'AA24 signature error')))
    expect(sending).toEqual({ outcome: 'rejected', reason: 'AA24 signature error' })
    expect(counted).toBe('refused')
  })

  test.each<[string, Script]>([
    ['another hash', only(method, `0x${'00'.repeat(32)}`)],
    ['no hash', only(method, null)],
    ['an error of its own', only(method, refusal(-32603, 'broken'))],
    ['a rate limit', only(method, refusal(-32005, 'slow down'))],
    ['nothing', (call, response) => (call.method === method ? cut(call, response) : undefined)],
  ])('answered with %s is unknown', async (_name, script) => {
    const { sending, counted } = await send(script)
    expect([sending.outcome, counted]).toEqual(['unknown', 'failed'])
  })

  test('to a bundler that is down, or on another chain, is unsent', async () => {
    const { bundler, server } = await bundlerOver(only(method, hash))
    await server.stop()
    expect((await bundler.send(op, hash)).outcome).toBe('unsent')
    expect(
      (await send(({ method: called }) => (called === 'eth_chainId' ? '0x1' : hash))).sending.outcome,
    ).toBe('unsent')
  })
})

test('a ping wants our entry point', async () => {
  const { bundler } = await bundlerOver(only('eth_supportedEntryPoints', [entryPoint.toLowerCase()]))
  await bundler.ping()
  const other = await bundlerOver(only('eth_supportedEntryPoints', [address]))
  await expect(other.bundler.ping()).rejects.toMatchObject({ code: 'rejected' })
})
