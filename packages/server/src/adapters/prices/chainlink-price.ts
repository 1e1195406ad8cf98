import type { Hex } from '@symbolon/networks/evm'
import type { Clock } from '../../ports/clock.ts'
import type { EvmRpc } from '../../ports/evm-rpc.ts'
import { type Price, PriceError } from '../../ports/prices.ts'
import { divideUp } from './exact-decimal.ts'
import { type FeedAnswer, priceFeed } from './price-feed.ts'

/** Two feeds of one chain, the asset's and the euro's price in US dollars, and how old their answers may be (seconds). */
export type ChainlinkFeeds = {
  handle: string
  asset: Hex
  euro: Hex
  assetAgeMaxSeconds: number
  euroAgeMaxSeconds: number
}

// The chain's clock may run behind the moment at which a feed was updated by a block's own inaccuracy.
const futureMaxSeconds = 60n

/**
 * The price of an asset in EUR by two Chainlink feeds, rounded up. An answer's age is counted by the later of the chain's
 * latest block and this machine's clock: neither a chain that stands still nor a clock that does makes an old price fresh.
 */
export function chainlinkPrice(feeds: ChainlinkFeeds, rpc: EvmRpc, clock: Clock): () => Promise<Price> {
  const readAsset = priceFeed(rpc, feeds.asset)
  const readEuro = priceFeed(rpc, feeds.euro)
  const source = `chainlink:${feeds.handle}:${feeds.asset}:${feeds.euro}`

  return async () => {
    const [asset, euro, block] = await Promise.all([readAsset(), readEuro(), rpc.block('latest')])
    const clockNow = BigInt(Math.floor(clock.nowMs() / 1_000))
    const now = block.timestamp > clockNow ? block.timestamp : clockNow
    checkAge(asset, now, feeds.assetAgeMaxSeconds)
    checkAge(euro, now, feeds.euroAgeMaxSeconds)
    const dividend = asset.answer * 10n ** BigInt(euro.decimals + 8)
    const divisor = euro.answer * 10n ** BigInt(asset.decimals)
    const older = asset.updatedAt < euro.updatedAt ? asset : euro
    return { eurE8: divideUp(dividend, divisor), source, at: new Date(Number(older.updatedAt) * 1_000) }
  }
}

function checkAge({ updatedAt }: FeedAnswer, now: bigint, ageMaxSeconds: number): void {
  if (updatedAt > now + futureMaxSeconds) throw new PriceError('implausible')
  if (now - updatedAt > BigInt(ageMaxSeconds)) throw new PriceError('stale')
}
