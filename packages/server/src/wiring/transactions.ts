import type { Audit } from '../features/audit/audit.ts'
import { type Broadcaster, broadcaster } from '../features/transactions/broadcast/broadcaster.ts'
import { type NonceLeases, nonceLeases } from '../features/transactions/nonces/nonce-leases.ts'
import type { EvmChains } from '../ports/evm-chains.ts'
import type { Ports } from './app-ports.ts'

/** What transactions on EVM chains need, of users and agents alike. */
export type Transactions = { chains: EvmChains; nonces: NonceLeases; broadcaster: Broadcaster }

/** Wires the one way of transactions to their chains. */
export function wireTransactions(
  { sql, ids, log, evm: chains }: Ports,
  audit: Audit,
  processId: string,
): Transactions {
  return {
    chains,
    nonces: nonceLeases({ sql, ids, log, processId }),
    broadcaster: broadcaster({ sql, chains, audit, log, holder: processId }),
  }
}
