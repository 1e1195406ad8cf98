import type { Sql } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Enclave } from '../../../ports/enclave.ts'
import type { EvmChains } from '../../../ports/evm-chains.ts'
import type { Random } from '../../../ports/random.ts'
import type { FairTurns } from '../../../runtime/fair-turns.ts'
import type { HeldReceiptsCtx } from '../../receipts/index.ts'
import type { Budgets } from '../../spending/index.ts'
import type { Broadcaster, NonceLeases } from '../../transactions/index.ts'
import type { SigningWallets } from '../../wallets/index.ts'
import type { Decisions } from './decisions.ts'
import type { SigningSessions } from './signing-sessions.ts'

/** What agents' signatures and transactions are made with. */
export type SigningCtx = {
  sql: Sql
  /** The enclave, the wallets and sessions as it is asked about them, and the turns in which payloads are decoded here. */
  signer: { enclave: Enclave; wallets: SigningWallets; sessions: SigningSessions; turns: FairTurns }
  /** Reserves before a signature is made, and commits before it leaves. */
  ledger: Ledger
  /** The chains that transactions go to, the nonces they get, and the way to them. */
  evm: { chains: EvmChains; nonces: NonceLeases; broadcaster: Broadcaster }
  ids: Ids
  random: Random
}

/** Reservations and decisions; both are exact, however many ask at the same time. And the receipts of what may not leave yet. */
export type Ledger = { budgets: Budgets; decisions: Decisions; receipts: HeldReceiptsCtx }
