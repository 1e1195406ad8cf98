import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownChain } from '@symbolon/testing/chain'
import { type Hex, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JsonRpc, jsonRpc } from './json-rpc.ts'
import type { DevChain } from './start-dev-chain.ts'
import { findProcesses } from './testing/find-processes.ts'
import { landOperation } from './testing/sponsored-operation.ts'

let chain: DevChain
let node: JsonRpc
let bundler: JsonRpc
beforeAll(async () => {
  chain = await ownChain()
  node = jsonRpc(chain.rpcUrl)
  bundler = jsonRpc(chain.bundlerUrl)
})
afterAll(() => chain?.stop())

type Block = { number: Hex; timestamp: Hex; baseFeePerGas: Hex; hash: Hex; transactions: Hex[] }
const latest = () => node.call<Block>('eth_getBlockByNumber', ['latest', false])
const someone = () => privateKeyToAddress(generatePrivateKey())
const isMined = async (hash: Hex) => (await node.call('eth_getTransactionReceipt', [hash])) !== null

test('a stalled chain mines nothing, whoever asks for what, until mining resumes', async () => {
  await chain.faults.stallMining()
  const { number } = await latest()
  const hash = await chain.fund(someone(), 1n)
  // Longer than a confirming block takes.
  await sleep(500)
  expect((await latest()).number).toBe(number)
  expect(await isMined(hash)).toBe(false)
  await chain.faults.resumeMining()
  expect(await isMined(hash)).toBe(true)
})

test('a chain that a developer stalled by its own RPC stays stalled', async () => {
  // Whose confirming block is due, and must not come.
  await chain.fund(someone(), 1n)
  await node.call('evm_setAutomine', [false])
  const { number } = await latest()
  const hash = await chain.fund(someone(), 1n)
  // Long enough for several blocks, of which none may come.
  await sleep(500)
  expect((await latest()).number).toBe(number)
  await node.call('evm_setAutomine', [true])
  await node.call('evm_mine')
  expect(await isMined(hash)).toBe(true)
})

test('the base fee stays where it was put, however many blocks come', async () => {
  const wei = 20_000_000_000n
  await chain.faults.setBaseFee(wei)
  for (let i = 0; i < 5; i += 1) await chain.fund(someone(), 1n)
  // The pacer puts the fee again when it learns of a block: a block that comes before that has the rule's fee.
  const mined = async () => {
    await node.call('evm_mine')
    return BigInt((await latest()).baseFeePerGas)
  }
  await expect.poll(mined, { interval: 400 }).toBe(wei)

  // Somebody else's turn, which the news of our last block may still take back.
  const fee = 5_000_000_000n
  const put = async () => {
    await node.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(fee)])
    await mined()
    // The news of a block arrives a moment after it.
    await sleep(50)
    await mined()
    await sleep(50)
    return mined()
  }
  await expect.poll(put, { interval: 400 }).toBe(fee)
})

/** Resolves once the last transactions have their confirming block: none follows it soon. */
const untilConfirmed = () => expect.poll(async () => (await latest()).transactions).toEqual([])

test('a reorganisation takes transactions back', async () => {
  await untilConfirmed()
  const to = someone()
  const hash = await chain.fund(to, 7n)
  const receipt = await node.call<{ blockNumber: Hex; blockHash: Hex }>('eth_getTransactionReceipt', [hash])
  await untilConfirmed()
  const depth = Number((await latest()).number) - Number(receipt.blockNumber) + 1
  await chain.faults.reorganise(depth)
  expect(await isMined(hash)).toBe(false)
  expect(BigInt(await node.call<Hex>('eth_getBalance', [to, 'latest']))).toBe(0n)
  const { hash: replaced } = await node.call<Block>('eth_getBlockByNumber', [receipt.blockNumber, false])
  expect(replaced).not.toBe(receipt.blockHash)
})

test('time moves on at a call, and a block shows it', async () => {
  const before = Number((await latest()).timestamp)
  await chain.faults.advanceTime(3_600)
  expect(Number((await latest()).timestamp)).toBeGreaterThanOrEqual(before + 3_600)
})

test('a killed bundler stays dead until it is started', async () => {
  await chain.faults.stopBundler()
  await expect(bundler.call('eth_chainId')).rejects.toThrow(/ECONNREFUSED/)
  // Longer than one that died by itself stays away.
  await sleep(300)
  await expect(bundler.call('eth_chainId')).rejects.toThrow(/ECONNREFUSED/)
  await chain.faults.startBundler()
  expect(Number(await bundler.call('eth_chainId'))).toBe(chain.chainId)
})

test('a bundler that dies by itself comes back', async () => {
  const bundlers = () => findProcesses(path.basename(process.execPath), new URL(chain.bundlerUrl).port)
  const [pid, ...others] = bundlers()
  expect(others).toEqual([])
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(async () => await bundler.call('eth_chainId').catch(() => undefined)).toBe('0x7a69')
  expect(bundlers()).not.toContain(pid)
})

test('operations land after every fault', { timeout: 60_000 }, async () => {
  await landOperation(chain)
  await chain.faults.advanceTime(40 * 24 * 3_600)
  await landOperation(chain)
  await chain.faults.setBaseFee(30_000_000_000n)
  await landOperation(chain)
  await untilConfirmed()
  await chain.faults.reorganise(3)
  await landOperation(chain)
  await chain.faults.stallMining()
  const landing = landOperation(chain, 20_000)
  // Time for the bundler to send it into a chain that stands still.
  await sleep(1_000)
  await chain.faults.resumeMining()
  await landing
  await chain.flush()
  const [pid] = findProcesses('anvil', new URL(chain.rpcUrl).port)
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(() => node.call('eth_chainId').catch(() => undefined)).toBe('0x7a69')
  await expect.poll(() => landOperation(chain).then(() => 'landed', String)).toBe('landed')
})
