import type { Hex } from '@symbolon/networks/evm'
import type { EvmLog } from '../../ports/evm-rpc.ts'

/** The filter of a log request: the contract, and for each topic one value, several, or any (`null`). */
export type LogFilter = { address: Hex; topics: readonly (Hex | readonly Hex[] | null)[] }

/** Does the log fit the filter it was asked by (EIP-1474, `eth_getLogs`)? */
export function matchesFilter(log: EvmLog, { address, topics }: LogFilter): boolean {
  if (log.address.toLowerCase() !== address.toLowerCase()) return false
  return topics.every((wanted, i) => {
    if (wanted === null) return true
    const topic = log.topics[i]
    const values = typeof wanted === 'string' ? [wanted] : wanted
    return topic !== undefined && values.some((value) => value.toLowerCase() === topic)
  })
}
