import { devContracts } from '@symbolon/dev/testing/chain'
import type { Hex } from '@symbolon/networks/evm'
import { chainByHandle } from '@symbolon/networks/testing/by-intent'
import { configuredPrices, evmChainsHttp, promMetrics, systemClock } from '@symbolon/server/testing/adapters'
import { sharedChain } from '@symbolon/testing/chain'
import { testLog } from '@symbolon/testing/database'
import { createPublicClient, encodeFunctionData, getContractAddress, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'

const { DevPriceFeed } = devContracts()

test('a price is read from real feeds of the chain', async () => {
  const shared = await sharedChain()
  const [clock, log] = [systemClock, testLog()]
  const address = { handle: 'local', rpcUrls: [shared.rpcUrl], confirmations: 2 }
  const { evm, close } = evmChainsHttp([address], { metrics: promMetrics().chains, clock, log })
  const wired = evm.get('local')
  if (wired === undefined) throw new Error('not wired')
  const { rpc } = wired
  const account = privateKeyToAccount(generatePrivateKey())
  await shared.fund(account.address, parseEther('10'))
  const client = createPublicClient({ transport: http(shared.rpcUrl), pollingInterval: 20 })
  let nonce = 0
  const transact = async (to: Hex | undefined, data: Hex) => {
    const fees = { gas: 1_000_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
    const transaction = { chainId: 31_337, type: 'eip1559', data, nonce: nonce++, ...fees } as const
    const hash = await rpc.send(
      await account.signTransaction({ ...transaction, ...(to !== undefined && { to }) }),
    )
    await client.waitForTransactionReceipt({ hash })
  }
  const feeds: Hex[] = []
  for (const [answer, decimals] of [
    [2_750n * 10n ** 18n, 18],
    [110_000_000n, 8],
  ] as const) {
    const feed = getContractAddress({ from: account.address, nonce: BigInt(nonce) })
    await transact(undefined, DevPriceFeed.bytecode)
    const set = (functionName: string, args: unknown[]) =>
      transact(feed, encodeFunctionData({ abi: DevPriceFeed.abi, functionName, args }))
    await set('setDecimals', [decimals])
    await set('set', [answer, 0n])
    feeds.push(feed)
  }
  const [asset, euro] = feeds
  if (asset === undefined || euro === undefined) throw new Error('no feeds')
  const sources = {
    fixed: new Map([['ETH', 3_000n * 10n ** 8n]]),
    feeds: new Map([
      ['ETH', { handle: 'local', asset, euro, assetAgeMaxSeconds: 3_600, euroAgeMaxSeconds: 93_600 }],
    ]),
    deviationMaxPercent: 50,
  }
  const local = chainByHandle('local')
  if (local === undefined) throw new Error('no chain')
  const price = await configuredPrices(sources, { evm, clock, log }).of(local)
  expect(price.eurE8).toBe(2_500n * 10n ** 8n)
  const { timestamp } = await rpc.block('latest')
  const old = encodeFunctionData({
    abi: DevPriceFeed.abi,
    functionName: 'set',
    args: [1n, timestamp - 3_700n],
  })
  await transact(asset, old)
  await expect(configuredPrices(sources, { evm, clock, log }).of(local)).rejects.toMatchObject({
    code: 'stale',
  })
  close()
})
