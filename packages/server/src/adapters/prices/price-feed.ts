import { decodeWords, encodeDecimals, encodeLatestRoundData, type Hex } from '@symbolon/networks/evm'
import type { EvmRpc } from '../../ports/evm-rpc.ts'
import { PriceError } from '../../ports/prices.ts'

/** What a feed says: `answer` x 10^-`decimals`, since `updatedAt` (unix seconds). */
export type FeedAnswer = { answer: bigint; decimals: number; updatedAt: bigint }

const decimalsMax = 36n
const signBit = 2n ** 255n

/**
 * Reads a Chainlink AggregatorV3 feed. Rejects with `PriceError`: `unavailable` without a finished round, `stale` for an answer
 * carried over from an earlier round, `implausible` unless it is positive. A node's errors pass through.
 */
export function priceFeed(rpc: EvmRpc, address: Hex): () => Promise<FeedAnswer> {
  let decimals: number | undefined

  async function words(data: Hex, count: number): Promise<bigint[]> {
    const answer = await rpc.call({ to: address, data })
    if (answer.length !== 2 + 64 * count) throw new PriceError('unavailable')
    return decodeWords(answer)
  }

  async function readDecimals(): Promise<number> {
    const [value = decimalsMax + 1n] = await words(encodeDecimals(), 1)
    if (value > decimalsMax) throw new PriceError('implausible')
    return Number(value)
  }

  return async () => {
    const [round, knownDecimals] = await Promise.all([
      words(encodeLatestRoundData(), 5),
      decimals ?? readDecimals(),
    ])
    decimals = knownDecimals
    const [roundId = 0n, answer = 0n, , updatedAt = 0n, answeredInRound = 0n] = round
    if (updatedAt === 0n || roundId === 0n) throw new PriceError('unavailable')
    if (answeredInRound < roundId) throw new PriceError('stale')
    if (answer === 0n || answer >= signBit) throw new PriceError('implausible')
    return { answer, decimals: knownDecimals, updatedAt }
  }
}
