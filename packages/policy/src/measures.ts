import type { AgentDecoded, AgentMethod } from '@symbolon/networks'
import type { Sums } from './sums.ts'

/** A payload as caps see it. */
export type Measured = {
  readonly method: AgentMethod
  readonly decoded: AgentDecoded
  readonly sums: Sums
}

/** How much a payload has of what caps may be on (`cap.of` of a field); null: nothing of it, so that no cap is asked. */
export const measures = {
  /** Native value that leaves, without the fee. */
  native: ({ sums }: Measured): bigint | null => sums.native,
  /** The fee in the worst case, where the wallet pays it. */
  fee: ({ decoded }: Measured): bigint | null => decoded.fee,
  /** The payload itself, if it becomes a transaction. */
  transactions: ({ method }: Measured): bigint | null => (method === 'sendTransaction' ? 1n : null),
} as const

/** What caps may be on. */
export type Measure = keyof typeof measures
