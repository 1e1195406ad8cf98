import type { Chain } from '@symbolon/networks'
import type { Clock } from '../../ports/clock.ts'
import type { EvmChains } from '../../ports/evm-chains.ts'
import { EvmRpcError } from '../../ports/evm-rpc.ts'
import type { Log } from '../../ports/log.ts'
import { type Price, PriceError, type Prices } from '../../ports/prices.ts'
import { type ChainlinkFeeds, chainlinkPrice } from './chainlink-price.ts'

/** Where prices come from, by the symbol of the native asset. */
export type PriceSources = {
  /** EUR x 10^8 per whole unit. */
  fixed: ReadonlyMap<string, bigint>
  feeds: ReadonlyMap<string, ChainlinkFeeds>
  /** How far a feed may be from the fixed price of its symbol, in percent of the latter. */
  deviationMaxPercent: number
}

const freshMs = 10_000

/**
 * Prices as configured: by feed where one is named, else fixed. A feed that fails is an error, never replaced by the fixed
 * price, which only bounds it. A feed's price is remembered for 10 s.
 */
export function configuredPrices(
  { fixed, feeds, deviationMaxPercent }: PriceSources,
  { evm, clock, log }: { evm: EvmChains; clock: Clock; log: Log },
): Prices {
  const readers = new Map<string, () => Promise<Price>>()
  for (const [symbol, feed] of feeds) {
    const rpc = evm.get(feed.handle)?.rpc
    if (rpc !== undefined) readers.set(symbol, remembered(chainlinkPrice(feed, rpc, clock), clock))
  }

  function checkDeviation(symbol: string, { eurE8 }: Price): void {
    const expected = fixed.get(symbol)
    if (expected === undefined) return
    const distance = eurE8 > expected ? eurE8 - expected : expected - eurE8
    if (distance * 100n > expected * BigInt(deviationMaxPercent)) throw new PriceError('implausible')
  }

  return {
    async of({ nativeAsset: { symbol } }: Chain) {
      const read = readers.get(symbol)
      if (read !== undefined) {
        try {
          const price = await read()
          checkDeviation(symbol, price)
          return price
        } catch (error) {
          const known = error instanceof EvmRpcError ? new PriceError('unavailable', error) : error
          log.warn(
            { symbol, failure: known instanceof PriceError ? known.code : 'unknown' },
            'No fresh price.',
          )
          throw known
        }
      }
      const eurE8 = feeds.has(symbol) ? undefined : fixed.get(symbol)
      if (eurE8 === undefined) throw new PriceError('unavailable')
      return { eurE8, source: 'fixed', at: new Date(clock.nowMs()) }
    },
  }
}

/** One read at a time, its value kept for 10 s; a failure is not kept. */
function remembered(read: () => Promise<Price>, clock: Clock): () => Promise<Price> {
  let running: Promise<Price> | undefined
  let freshUntilMs = Number.NEGATIVE_INFINITY
  return () => {
    if (running === undefined || clock.nowMs() >= freshUntilMs) {
      freshUntilMs = clock.nowMs() + freshMs
      running = read()
      running.catch(() => {
        freshUntilMs = Number.NEGATIVE_INFINITY
      })
    }
    return running
  }
}
