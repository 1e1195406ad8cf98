import { devContracts } from '@symbolon/dev/testing/chain'
import {
  decodeUserOperationEvent,
  encodeCalls,
  encodeCreateAccount,
  encodeGetAddress,
  entryPoint,
  type Hex,
  lightAccountAddress,
  lightAccountFactory,
  stubSignature,
  type UserOperation,
  userOperationEventTopic,
  userOperationHash,
} from '@symbolon/networks/evm'
import { evmChainsHttp, promMetrics, systemClock } from '@symbolon/server/testing/adapters'
import type { UserOperationDraft } from '@symbolon/server/testing/ports'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import { testLog } from '@symbolon/testing/database'
import { type JsonRpcProxy, jsonRpcProxy } from '@symbolon/testing/http'
import { concat, encodeFunctionData, parseEther } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let shared: SharedChain
let nodeProxy: JsonRpcProxy
let bundlerProxy: JsonRpcProxy
const metrics = promMetrics()
const log = testLog()

beforeAll(async () => {
  shared = await sharedChain()
  ;[nodeProxy, bundlerProxy] = await Promise.all([
    jsonRpcProxy(shared.rpcUrl),
    jsonRpcProxy(shared.bundlerUrl),
  ])
})
afterAll(() => Promise.all([nodeProxy.stop(), bundlerProxy.stop()]))

function wired() {
  const tools = { metrics: metrics.chains, clock: systemClock, log }
  const { evm, close } = evmChainsHttp(
    [
      {
        handle: 'local',
        rpcUrls: [nodeProxy.url],
        bundlerUrl: bundlerProxy.url,
        paymasterUrl: shared.paymasterUrl,
        confirmations: 2,
      },
    ],
    tools,
  )
  afterAll(close)
  const chain = evm.get('local')
  if (chain?.bundler === undefined || chain.paymaster === undefined) throw new Error('not wired')
  return { rpc: chain.rpc, bundler: chain.bundler, paymaster: chain.paymaster }
}

const { DevTarget } = devContracts()
const target = (functionName: string, args: unknown[] = []): Hex =>
  encodeFunctionData({ abi: DevTarget.abi, functionName, args })
const newOwner = () => privateKeyToAccount(generatePrivateKey())

describe('a real node', () => {
  test('returns blocks, code, nonces and fees', async () => {
    const { rpc } = wired()
    const latest = await rpc.block('latest')
    expect(await rpc.block(latest.number)).toEqual(latest)
    expect((await rpc.block('finalized')).number).toBeLessThanOrEqual(latest.number)
    await expect(rpc.block(latest.number + 1_000_000n)).rejects.toMatchObject({ code: 'transport' })
    expect((await rpc.code(shared.contracts.target)).length).toBeGreaterThan(2)
    expect(await rpc.code(newOwner().address)).toBe('0x')
    expect(await rpc.pendingNonce(newOwner().address)).toBe(0n)
    const fees = await rpc.fees()
    expect(fees.maxFeePerGas).toBeGreaterThan(fees.maxPriorityFeePerGas)
  })

  test('answers a call, and the factory agrees with the address worked out here', async () => {
    const { rpc } = wired()
    const { address } = newOwner()
    const answer = await rpc.call({ to: lightAccountFactory, data: encodeGetAddress(address) })
    expect(BigInt(answer)).toBe(BigInt(lightAccountAddress(address)))
  })

  test.each([
    ['fail', [], 'DevTarget: no'],
    ['failCustom', [7n], `0x590a5151${'7'.padStart(64, '0')}`],
    ['failPanic', [], 'Panic: assertion failed'],
    ['failSilently', [], 'execution reverted'],
  ] as const)('says why %s reverts, in a call and in an estimate', async (name, args, reason) => {
    const { rpc } = wired()
    const call = { from: newOwner().address, to: shared.contracts.target, data: target(name, [...args]) }
    await expect(rpc.call(call)).rejects.toMatchObject({ code: 'reverted', reason })
    await expect(rpc.estimateGas({ ...call, value: 0n })).rejects.toMatchObject({ code: 'reverted', reason })
  })

  test('estimates, and refuses what cannot be paid', async () => {
    const { rpc } = wired()
    const call = { from: newOwner().address, to: shared.contracts.target, data: target('poke') }
    expect(await rpc.estimateGas({ ...call, value: 0n })).toBeGreaterThan(21_000n)
    const refused = rpc.estimateGas({ ...call, value: parseEther('1000000') })
    await expect(refused).rejects.toMatchObject({ code: 'rejected', reason: expect.stringMatching(/funds/i) })
  })

  test('takes a transaction, and takes it again when it has it already', async () => {
    const { rpc } = wired()
    const account = newOwner()
    await shared.fund(account.address, parseEther('1'))
    const sign = (nonce: number, value = 1n) =>
      account.signTransaction({
        chainId: 31_337,
        type: 'eip1559',
        to: account.address,
        value,
        nonce,
        gas: 21_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 1n,
      })
    const raw = await sign(0)
    const hash = await rpc.send(raw)
    expect(await rpc.send(raw)).toBe(hash)
    expect(await rpc.pendingNonce(account.address)).toBe(1n)
    await expect(rpc.send(await sign(0, 2n))).rejects.toMatchObject({
      code: 'rejected',
      reason: 'nonce too low',
    })
    await expect(rpc.send(await sign(1, parseEther('2')))).rejects.toMatchObject({ code: 'rejected' })
    const lost = await sign(1)
    nodeProxy.fault('eth_sendRawTransaction', { kind: 'drop' })
    expect(await rpc.send(lost)).toMatch(/^0x/)
    nodeProxy.heal()
    expect(await rpc.pendingNonce(account.address)).toBe(2n)
    expect(nodeProxy.calls('eth_sendRawTransaction')).toBe(5)
  })
})

describe('a real bundler and paymaster', () => {
  async function draft(owner: PrivateKeyAccount, data: Hex, gasPrice: (() => Promise<unknown>) | undefined) {
    const price = (await gasPrice?.()) as { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
    return {
      sender: lightAccountAddress(owner.address),
      nonce: BigInt(generatePrivateKey().slice(0, 40)) << 64n,
      factory: lightAccountFactory,
      factoryData: encodeCreateAccount(owner.address),
      callData: encodeCalls([{ to: shared.contracts.target, value: 0n, data }]),
      ...price,
      signature: stubSignature,
    } satisfies UserOperationDraft
  }

  async function built(owner: PrivateKeyAccount, data: Hex) {
    const { rpc, bundler, paymaster } = wired()
    const op = await draft(owner, data, bundler.gasPrice)
    const { isFinal, ...stub } = await paymaster.stub(op)
    expect(isFinal).toBe(false)
    const gas = await bundler.estimate({ ...op, ...stub })
    const { validUntil, ...sponsorship } = await paymaster.sponsor({ ...op, ...stub, ...gas })
    const full: UserOperation = { ...op, ...stub, ...gas, ...sponsorship }
    const hash = userOperationHash(full, 31_337)
    const signature = concat(['0x00', await owner.signMessage({ message: { raw: hash } })])
    return { rpc, bundler, paymaster, hash, validUntil, op: { ...full, signature } }
  }

  test('sponsor an operation that lands, is settled by its log, and is accepted again at any time', async () => {
    const { rpc, bundler, op, hash, validUntil } = await built(newOwner(), target('poke'))
    const { number: from, timestamp } = await rpc.block('latest')
    expect(validUntil).toBeGreaterThan(timestamp)
    bundlerProxy.fault('eth_sendUserOperation', { kind: 'drop' }, 1)
    expect((await bundler.send(op, hash)).outcome).toBe('unknown')
    expect(await bundler.send(op, hash)).toEqual({ outcome: 'accepted' })
    const filter = { address: entryPoint, topics: [userOperationEventTopic, hash], fromBlock: from }
    const logs = await expect
      .poll(async () => rpc.logs({ ...filter, toBlock: (await rpc.block('latest')).number }), {
        timeout: 8_000,
      })
      .toHaveLength(1)
      .then(async () => rpc.logs({ ...filter, toBlock: (await rpc.block('latest')).number }))
    const [landed] = logs
    if (landed === undefined) throw new Error('no log')
    expect(decodeUserOperationEvent(landed)).toMatchObject({ hash, sender: op.sender, success: true })
    expect(landed.address).toBe(entryPoint)
    expect((await rpc.block(landed.blockNumber)).hash).toBe(landed.blockHash)
    expect(await bundler.send(op, hash)).toEqual({ outcome: 'accepted' })
  })

  test.each([
    ['fail', [], 'DevTarget: no'],
    ['failCustom', [7n], `0x590a5151${'7'.padStart(64, '0')}`],
    ['failPanic', [], 'Panic: assertion failed'],
    ['failSilently', [], 'execution reverted'],
  ] as const)('say why %s reverts in an estimate', async (name, args, reason) => {
    await expect(built(newOwner(), target(name, [...args]))).rejects.toMatchObject({
      name: 'BundlerError',
      code: 'reverted',
      reason,
    })
  })

  test('refuse an operation that nobody pays, that somebody else signed, or whose paymaster was altered', async () => {
    const { bundler, op, hash } = await built(newOwner(), target('poke'))
    const { paymaster: _, paymasterData: __, ...unpaid } = op
    await expect(bundler.estimate({ ...unpaid, paymasterVerificationGasLimit: 0n })).rejects.toMatchObject({
      code: 'rejected',
      reason: expect.stringMatching(/AA21/),
    })
    const signature = concat(['0x00', await newOwner().signMessage({ message: { raw: hash } })])
    expect(await bundler.send({ ...op, signature }, hash)).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringMatching(/AA24/),
    })
  })

  test('answer a ping, and are unsent to once they are gone', async () => {
    const { bundler, paymaster, op, hash } = await built(newOwner(), target('poke'))
    await Promise.all([bundler.ping(), paymaster.ping()])
    await bundlerProxy.refuse()
    expect((await bundler.send(op, hash)).outcome).toBe('unsent')
    await expect(bundler.ping()).rejects.toMatchObject({ code: 'transport' })
    await bundlerProxy.accept()
    expect((await bundler.send(op, hash)).outcome).toBe('accepted')
  })
})

test('the metrics show the methods called, and no URL', async () => {
  const text = await metrics.text()
  expect(text).toMatch(
    /symbolon_chain_call_seconds_count\{(?=.*worker="0")(?=.*chain="local")(?=.*target="bundler")(?=.*method="eth_sendUserOperation")(?=.*outcome="ok").*\} \d+/,
  )
  expect(text).not.toContain('127.0.0.1')
  expect(log.lines.join()).not.toContain('127.0.0.1')
})
