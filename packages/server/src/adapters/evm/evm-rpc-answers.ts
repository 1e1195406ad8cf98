import * as z from 'zod'
import type { EvmBlock, EvmLog, EvmReceipt, GasFees } from '../../ports/evm-rpc.ts'
import { JsonRpcFailure } from './json-rpc.ts'
import { Address, Data, Hash, Quantity } from './rpc-values.ts'

/** An answer in the form its method promises; anything else is a `malformed` failure of the node. */
export function readResult<schema extends z.ZodType>(schema: schema, result: unknown): z.output<schema> {
  const parsed = schema.safeParse(result)
  if (!parsed.success) throw new JsonRpcFailure('malformed', true)
  return parsed.data
}

/** `eth_getBlockByNumber`, without transactions. */
export const Block: z.ZodType<EvmBlock> = z
  .object({ number: Quantity, hash: Hash, timestamp: Quantity, baseFeePerGas: Quantity.default(0n) })
  .transform(({ number, hash, timestamp, baseFeePerGas }) => ({ number, hash, timestamp, baseFeePerGas }))

/** `eth_getTransactionReceipt`. */
export const Receipt: z.ZodType<EvmReceipt> = z
  .object({ status: Quantity, blockNumber: Quantity, gasUsed: Quantity })
  .transform(({ status, blockNumber, gasUsed }) => ({ succeeded: status === 1n, blockNumber, gasUsed }))

const topicsMax = 4

/** `eth_getLogs`: logs of mined blocks. */
export const Logs: z.ZodType<EvmLog[]> = z.array(
  z.object({
    address: Address,
    topics: z.array(Hash).max(topicsMax),
    data: Data,
    blockNumber: Quantity,
    blockHash: Hash,
    transactionHash: Hash,
    logIndex: Quantity.transform(Number),
    removed: z.boolean().default(false),
  }),
)

// Geth's default minimum tip (0.001 gwei): on an idle chain the median is zero.
const tipMin = 1_000_000n
const baseFeeFactor = 2n

/** `eth_feeHistory` of recent blocks with one percentile, as fee bounds: the last base fee is the next block's. */
export const FeeHistory: z.ZodType<GasFees> = z
  .object({
    baseFeePerGas: z.array(Quantity).min(1).max(1_025),
    reward: z.array(z.array(Quantity).min(1)).max(1_024).nullish(),
  })
  .transform(({ baseFeePerGas, reward }) => {
    const tips = (reward ?? []).flatMap(([tip]) => (tip === undefined ? [] : [tip]))
    tips.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const median = tips[tips.length >> 1] ?? 0n
    const maxPriorityFeePerGas = median > tipMin ? median : tipMin
    return {
      maxFeePerGas: baseFeeFactor * (baseFeePerGas.at(-1) ?? 0n) + maxPriorityFeePerGas,
      maxPriorityFeePerGas,
    }
  })
