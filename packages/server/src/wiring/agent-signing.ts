import { agentEventsStore } from '../features/agents/signing/agent-events.store.ts'
import { agentSigning } from '../features/agents/signing/agent-signing.ts'
import { decisions } from '../features/agents/signing/decisions.ts'
import { agentSigningRoutes } from '../features/agents/signing/signing.routes.ts'
import { signingSessions } from '../features/agents/signing/signing-sessions.ts'
import type { Audit } from '../features/audit/audit.ts'
import type { Budgets } from '../features/spending/budgets/budgets.ts'
import type { Ports } from './app-ports.ts'
import type { Transactions } from './transactions.ts'
import type { Custody } from './wallets.ts'

/** What agents' signatures are wired from. */
export type AgentGateParts = {
  ports: Ports
  audit: Audit
  custody: Custody
  transactions: Transactions
  budgets: Budgets
}

/** Wires the one way to signatures of agents. */
export function wireAgentGate({ ports, audit, custody, transactions, budgets }: AgentGateParts) {
  const { sql, enclave, ids, random } = ports
  const signing = agentSigning({
    sql,
    signer: { enclave, wallets: custody.wallets, sessions: signingSessions(sql) },
    ledger: { budgets, decisions: decisions({ sql, ids, audit }) },
    evm: transactions,
    ids,
    random,
  })
  return {
    signing,
    /** Events of a session or of a run, newest first, with their exact total. */
    events: (...query: EventsQuery) => agentEventsStore.list(sql, ...query),
    bound: agentSigningRoutes(sql, signing),
  }
}

type EventsQuery = Parameters<typeof agentEventsStore.list> extends [unknown, ...infer rest] ? rest : never

/** The wired way to agents' signatures. */
export type AgentGate = ReturnType<typeof wireAgentGate>
