import type { Ports } from './app-ports.ts'
import type { Custody } from './custody.ts'
import { agentEventsStore } from './features/agent-signing/agent-events.store.ts'
import { agentSigningRoutes } from './features/agent-signing/agent-signing.routes.ts'
import { agentSigning } from './features/agent-signing/agent-signing.ts'
import { agentTransactions } from './features/agent-signing/agent-transactions.ts'
import { askingRunsStore } from './features/agent-signing/asking-runs.store.ts'
import { attemptEnds } from './features/agent-signing/attempt-errors.ts'
import type { Budgets } from './features/agent-signing/budgets.ts'
import { decisions } from './features/agent-signing/decisions.ts'
import { fundsLeft } from './features/agent-signing/funds-left.ts'
import { nonceLeases } from './features/agent-signing/nonce-leases.ts'
import { signingGate } from './features/agent-signing/signing-gate.ts'
import { signingSessionsStore } from './features/agent-signing/signing-sessions.store.ts'
import { signingSessions } from './features/agent-signing/signing-sessions.ts'
import { transactionNeeds } from './features/agent-signing/transaction-needs.ts'
import { transactionSender } from './features/agent-signing/transaction-sender.ts'
import { eventColumns } from './features/audit/audit.store.ts'
import type { Audit } from './features/audit/audit.ts'
import { FillInError, fillIn } from './features/evm/fill-in.ts'

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
