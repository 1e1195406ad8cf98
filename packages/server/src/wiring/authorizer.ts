import type { Attempts } from '../db/attempts.ts'
import { decisions } from '../features/agents/signing/decisions.ts'
import type { SigningCtx } from '../features/agents/signing/signing-ctx.ts'
import { signingSessions } from '../features/agents/signing/signing-sessions.ts'
import type { Audit } from '../features/audit/audit.ts'
import type { HeldReceiptsCtx } from '../features/receipts/index.ts'
import { budgets } from '../features/spending/budgets/budgets.ts'
import type { FairTurns } from '../runtime/fair-turns.ts'
import type { Ports } from './app-ports.ts'
import type { Transactions } from './transactions.ts'
import type { Custody } from './wallets.ts'

/** What the authorizer is wired from. */
export type AuthorizerParts = {
  ports: Pick<Ports, 'sql' | 'enclave' | 'ids' | 'random'>
  audit: Audit
  custody: Pick<Custody, 'wallets'>
  transactions: Transactions
  attempts: Pick<Attempts, 'current'>
  turns: FairTurns
  receipts: HeldReceiptsCtx
}

/** Wires the one way to signatures of agents. */
export function wireAuthorizer({
  ports,
  audit,
  custody,
  transactions,
  attempts,
  turns,
  receipts,
}: AuthorizerParts): SigningCtx {
  const { sql, enclave, ids, random } = ports
  return {
    sql,
    signer: { enclave, wallets: custody.wallets, sessions: signingSessions(sql), turns },
    ledger: { budgets: budgets(sql), decisions: decisions({ sql, ids, audit, attempts }), receipts },
    evm: transactions,
    ids,
    random,
  }
}
