import { agentEventsStore } from '../features/agents/signing/agent-events.store.ts'
import { agentSigning } from '../features/agents/signing/agent-signing.ts'
import { decisions } from '../features/agents/signing/decisions.ts'
import { agentSigningRoutes } from '../features/agents/signing/signing.routes.ts'
import { signingSessions } from '../features/agents/signing/signing-sessions.ts'
import { eventColumns } from '../features/audit/audit.store.ts'
import type { Audit } from '../features/audit/audit.ts'
import type { Budgets } from '../features/spending/budgets/budgets.ts'
import { transactionSender } from '../features/transactions/broadcast/transaction-sender.ts'
import { nonceLeases } from '../features/transactions/nonces/nonce-leases.ts'
import type { Ports } from './app-ports.ts'
import type { Custody } from './wallets.ts'

/** What agents' signatures are wired from. */
export type AgentGateParts = { ports: Ports; audit: Audit; custody: Custody; budgets: Budgets }

/** Wires the one way to signatures of agents, and what sends their transactions. */
export function wireAgentGate({ ports, audit, custody, budgets }: AgentGateParts) {
  const { sql, enclave, ids, random, log, evm: chains } = ports
  const sender = transactionSender({ sql, chains, audit, log })
  const signing = agentSigning({
    sql,
    signer: { enclave, wallets: custody.wallets, sessions: signingSessions(sql) },
    ledger: { budgets, decisions: decisions({ sql, ids, audit, eventColumns }) },
    evm: { chains, nonces: nonceLeases({ sql, ids, log }), sender },
    ids,
    random,
  })
  return {
    signing,
    sender,
    /** Events of a session or of a run, newest first, with their exact total. */
    events: (...query: EventsQuery) => agentEventsStore.list(sql, ...query),
    bound: agentSigningRoutes(sql, signing),
  }
}

type EventsQuery = Parameters<typeof agentEventsStore.list> extends [unknown, ...infer rest] ? rest : never

/** The wired way to agents' signatures. */
export type AgentGate = ReturnType<typeof wireAgentGate>
