import type { Sql } from '../../../db/pool.ts'
import type { EvmChains } from '../../../ports/evm-chains.ts'
import type { Log } from '../../../ports/log.ts'
import type { Audit } from '../../audit/index.ts'

/** The context for broadcasting; leases end when the process `holder` dies. */
export type BroadcastCtx = { sql: Sql; chains: EvmChains; audit: Audit; log: Log; holder: string }

/** The lease of a transaction's sender: longer than any request waits for its answer. */
export const sendLeaseMs = 15_000

/** The number of transactions that one pass takes over. */
export const rowsMax = 16
