import { agentEventsStore } from '../features/agents/signing/agent-events.store.ts'
import { agentSigningRoutes } from '../features/agents/signing/agent-signing.routes.ts'
import { agentSigning } from '../features/agents/signing/agent-signing.ts'
import { agentTransactions } from '../features/agents/signing/agent-transactions.ts'
import { askingRunsStore } from '../features/agents/signing/asking-runs.store.ts'
import { attemptEnds } from '../features/agents/signing/attempt-errors.ts'
import { decisions } from '../features/agents/signing/decisions.ts'
import { signingGate } from '../features/agents/signing/signing-gate.ts'
import { signingSessionsStore } from '../features/agents/signing/signing-sessions.store.ts'
import { signingSessions } from '../features/agents/signing/signing-sessions.ts'
import { transactionNeeds } from '../features/agents/signing/transaction-needs.ts'
import { eventColumns } from '../features/audit/audit.store.ts'
import type { Audit } from '../features/audit/audit.ts'
import type { Budgets } from '../features/spending/budgets/budgets.ts'
import { transactionSender } from '../features/transactions/broadcast/transaction-sender.ts'
import { nonceLeases } from '../features/transactions/nonces/nonce-leases.ts'
import { FillInError, fillIn } from '../features/transactions/prepare/fill-in.ts'
import { fundsLeft } from '../features/transactions/prepare/funds-left.ts'
import type { Ports } from './app-ports.ts'
import type { Custody } from './wallets.ts'

/** What the gate of agents' signatures is wired from. */
export type AgentGateParts = { ports: Ports; audit: Audit; custody: Custody; budgets: Budgets }

/** Wires the one way to signatures of agents, and what sends their transactions. */
export function wireAgentGate({ ports, audit, custody, budgets }: AgentGateParts) {
  const { sql, enclave, ids, random, log, evm: chains } = ports
  const { wallets } = custody
  const committing = decisions({ sql, ids, audit, eventColumns })
  const ends = attemptEnds(committing)
  const sessions = signingSessions(sql)
  const gate = signingGate({
    enclave,
    wallets,
    sessions,
    budgets,
    decisions: committing,
    ends,
    isRunOver: (runId) => askingRunsStore.isOver(sql, runId),
  })
  const signing = agentSigning({ sql, wallets, random, gate, budgets, ends })
  const sender = transactionSender({ sql, chains, audit, log })
  const transactions = agentTransactions({
    sql,
    ids,
    chains,
    wallets,
    gate,
    ends,
    leases: nonceLeases({ sql, ids, log }),
    sender,
    needs: transactionNeeds({
      gate,
      ends,
      fundsLeft: fundsLeft(sql),
      fillIn,
      isFillInError: (error) => error instanceof FillInError,
    }),
  })
  return {
    signing,
    transactions,
    sender,
    /** Attempts of a session or of a run, newest first, with their exact total. */
    events: (...query: EventsQuery) => agentEventsStore.list(sql, ...query),
    bound: agentSigningRoutes({
      sql,
      signing,
      transactions,
      isSessionOf: (id, organizationId) => signingSessionsStore.isOf(sql, id, organizationId),
    }),
  }
}

type EventsQuery = Parameters<typeof agentEventsStore.list> extends [unknown, ...infer rest] ? rest : never

/** The wired gate. */
export type AgentGate = ReturnType<typeof wireAgentGate>
