import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { ownChain } from '@symbolon/testing/chain'
import { type Hex, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { devChainIds } from './chain-handles.ts'
import { fund } from './fund.ts'
import { type JsonRpc, jsonRpc } from './json-rpc.ts'
import type { DevChain } from './start-dev-chain.ts'
import { findProcesses } from './testing/find-processes.ts'

type Addresses = Pick<DevChain, 'rpcUrl' | 'bundlerUrl' | 'paymaster' | 'contracts'>
type Block = { number: Hex; timestamp: Hex; baseFeePerGas: Hex; hash: Hex }

let folder: string
const running: DevChain[] = []
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-crash-'))
})
afterEach(async () => {
  for (const chain of running.splice(0)) await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})

const someone = () => privateKeyToAddress(generatePrivateKey())
const portOf = (url: string) => new URL(url).port
const anvils = (url: string) => findProcesses('anvil', portOf(url))
const bundlers = (url: string) => findProcesses(path.basename(process.execPath), portOf(url))
const block = (node: JsonRpc, tag: string) => node.call<Block>('eth_getBlockByNumber', [tag, false])

async function start(): Promise<{ chain: DevChain; node: JsonRpc }> {
  const chain = await ownChain({ folder, withBundler: false })
  running.push(chain)
  return { chain, node: jsonRpc(chain.rpcUrl) }
}

/** The newest block that the folder keeps. */
function savedBlock(): number {
  const file = path.join(folder, 'state.json.gz')
  if (!existsSync(file)) return 0
  const { block } = JSON.parse(String(gunzipSync(readFileSync(file)))) as { block: { number: string } }
  return Number(block.number)
}

/** A token transfer: what leaves a log behind. */
async function mint(node: JsonRpc, { contracts }: Addresses): Promise<{ hash: Hex; to: Hex }> {
  const to = someone()
  const [from] = await node.call<Hex[]>('eth_accounts')
  const data = `0x40c10f19${to.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
  const hash = await node.call<Hex>('eth_sendTransaction', [
    { from, to: contracts.token, data, gas: '0x30d40' },
  ])
  while ((await node.call('eth_getTransactionReceipt', [hash])) === null) await sleep(5)
  return { hash, to }
}

async function expectKept(node: JsonRpc, address: Hex, granted: Hex, minted: Hex): Promise<void> {
  expect(await node.call('eth_getBalance', [address, 'latest'])).toBe('0x7')
  expect(await node.call('eth_getTransactionReceipt', [granted])).toMatchObject({ status: '0x1' })
  const { blockNumber, blockHash, logs } = await node.call<{
    blockNumber: Hex
    blockHash: Hex
    logs: object[]
  }>('eth_getTransactionReceipt', [minted])
  expect(logs).toHaveLength(1)
  expect((await block(node, blockNumber)).hash).toBe(blockHash)
  const filter = { fromBlock: '0x0', toBlock: 'latest' }
  expect(await node.call('eth_getLogs', [filter])).toContainEqual(
    expect.objectContaining({ transactionHash: minted, blockHash }),
  )
}

test('a chain killed with everything else leaves no process, and goes on where it was', async () => {
  const holder = fileURLToPath(new URL('./testing/hold-chain.ts', import.meta.url))
  const child = spawn(process.execPath, [holder, folder, inject('chainCacheFolder')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const addresses = JSON.parse(
    await new Promise<string>((resolve) => child.stdout.once('data', (line) => resolve(String(line)))),
  ) as Addresses
  const node = jsonRpc(addresses.rpcUrl)
  const to = someone()
  const granted = await fund(node, to, 7n)
  const { hash: minted } = await mint(node, addresses)
  const before = await block(node, 'latest')
  // No more than a second is ever unsaved, and a busy machine takes its time for the save itself.
  await expect.poll(savedBlock).toBeGreaterThanOrEqual(Number(before.number))
  child.kill('SIGKILL')
  await expect.poll(() => [...anvils(addresses.rpcUrl), ...bundlers(addresses.bundlerUrl)]).toEqual([])

  const { node: again } = await start()
  await expectKept(again, to, granted, minted)
  expect((await block(again, before.number)).hash).toBe(before.hash)
})

test('a killed node is started again with its chain, at the same address', async () => {
  const { chain, node } = await start()
  const to = someone()
  const granted = await chain.fund(to, 7n)
  const { hash: minted } = await mint(node, chain)
  await chain.flush()
  const [pid] = anvils(chain.rpcUrl)
  process.kill(Number(pid), 'SIGKILL')
  await expect
    .poll(() => node.call('eth_chainId').catch(() => undefined))
    .toBe(numberToHex(devChainIds.local))
  await expectKept(node, to, granted, minted)
  // What the node knew without a block is there again, and so is the pacer.
  const next = await chain.fund(to, 1n)
  const { blockNumber } = await node.call<{ blockNumber: Hex }>('eth_getTransactionReceipt', [next])
  await expect
    .poll(async () => Number(await node.call('eth_blockNumber')))
    .toBeGreaterThan(Number(blockNumber))
})

test('chain time and base fee go on where they were, and time never goes back', async () => {
  const first = await start()
  await first.chain.faults.advanceTime(90 * 24 * 3_600)
  await first.chain.faults.setBaseFee(3_000_000_000n)
  const before = await block(first.node, 'latest')
  await first.chain.stop()
  running.length = 0
  const { chain, node } = await start()
  for (
    let number = Number(before.number) + 1;
    number <= Number((await block(node, 'latest')).number);
    number += 1
  )
    expect(Number((await block(node, numberToHex(number))).timestamp)).toBeGreaterThan(
      Number(before.timestamp),
    )
  await chain.fund(someone(), 1n)
  const now = await block(node, 'latest')
  expect(Number(now.timestamp) - Date.now() / 1000).toBeGreaterThan(90 * 24 * 3_600 - 5)
  expect(BigInt(now.baseFeePerGas)).toBe(3_000_000_000n)
})

test('an unreadable state is put aside, not overwritten', async () => {
  const first = await start()
  await first.chain.stop()
  running.length = 0
  const file = path.join(folder, 'state.json.gz')
  truncateSync(file, 1_000)
  const { node } = await start()
  expect(Number(await node.call('eth_blockNumber'))).toBeLessThan(50)
  expect(existsSync(file)).toBe(true)
})
