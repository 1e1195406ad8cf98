import { entryPoint, type Hex } from '@symbolon/networks/evm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { httpConnections, jsonRpcHttp } from './json-rpc-http.ts'
import { measureCalls } from './measure-call.ts'
import { paymasterHttp, validUntilOf } from './paymaster-http.ts'
import { recorded } from './testing/recorded.ts'
import { cut, refusal, type Script, type ScriptedNode, scriptedNode } from './testing/scripted-node.ts'

const connections = httpConnections()
const nodes: ScriptedNode[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})
afterAll(() => connections.close())

async function paymasterOver(script: Script) {
  const server = await scriptedNode(script)
  nodes.push(server)
  const rpc = jsonRpcHttp({ url: server.url, name: 'local paymaster', connections })
  const measure = measureCalls(recorded().metrics, 'local', 'paymaster')
  const paymaster = paymasterHttp({ rpc, measure, chainId: 31_337, context: { policy: 'p' } })
  return { paymaster, server }
}

const address: Hex = '0x1111111111111111111111111111111111111111'
const op = {
  sender: address,
  nonce: 0n,
  callData: '0x' as Hex,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
  signature: '0x' as Hex,
}
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const data = (until: bigint, after = 0n, signature = 'ab'.repeat(65)): Hex =>
  `0x${word(until)}${word(after)}${signature}`

test('a stub and a sponsorship are asked for as ERC-7677 says', async () => {
  const { paymaster, server } = await paymasterOver(({ method }) => ({
    paymaster: address,
    paymasterData: data(1_700_000_000n),
    ...(method === 'pm_getPaymasterStubData' && {
      paymasterVerificationGasLimit: '0xea60',
      paymasterPostOpGasLimit: '0x1',
      sponsor: { name: 'x' },
    }),
  }))
  expect(await paymaster.stub(op)).toEqual({
    paymaster: address,
    paymasterData: data(1_700_000_000n),
    paymasterVerificationGasLimit: 60_000n,
    paymasterPostOpGasLimit: 1n,
    isFinal: false,
  })
  expect(await paymaster.sponsor(op)).toEqual({
    paymaster: address,
    paymasterData: data(1_700_000_000n),
    validUntil: 1_700_000_000n,
  })
  expect(server.methods).toEqual(['pm_getPaymasterStubData', 'pm_getPaymasterData'])
  expect(server.params[1]?.slice(1)).toEqual([entryPoint, '0x7a69', { policy: 'p' }])
})

test('the end of validity is read from the layout of VerifyingPaymaster only', () => {
  expect(validUntilOf(data(7n))).toBe(7n)
  expect(validUntilOf(data(7n, 0n, 'ab'.repeat(64)))).toBe(7n)
  for (const unreadable of [
    data(0n),
    data(2n ** 48n),
    data(7n, 2n ** 48n),
    data(7n, 0n, 'ab'.repeat(66)),
    data(7n, 0n, ''),
    '0x' as Hex,
  ]) {
    expect(validUntilOf(unreadable)).toBeUndefined()
  }
})

test('a refusal is rejected with its reason, everything else is not an answer', async () => {
  const refused = await paymasterOver(() => refusal(-32602, 'not this one'))
  await expect(refused.paymaster.sponsor(op)).rejects.toMatchObject({
    code: 'rejected',
    reason: 'not this one',
  })
  for (const script of [
    () => refusal(-32603, 'broken'),
    () => ({ paymaster: '0x12', paymasterData: '0x' }),
    () => ({ paymasterData: '0x' }),
    cut,
  ]) {
    const { paymaster } = await paymasterOver(script)
    await expect(paymaster.stub(op)).rejects.toMatchObject({ code: 'transport' })
  }
})
