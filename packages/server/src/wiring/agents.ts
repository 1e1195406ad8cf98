import { type AgentActors, agentActors } from '../features/agents/registry/agent-actors.ts'
import { agentsRoutes } from '../features/agents/registry/agents.routes.ts'
import { agentsStore } from '../features/agents/registry/agents.store.ts'
import { agents } from '../features/agents/registry/agents.ts'
import { agentRunsStore } from '../features/agents/runs/agent-runs.store.ts'
import { agentSessionViews } from '../features/agents/sessions/agent-session-views.ts'
import { agentSessionsRoutes } from '../features/agents/sessions/agent-sessions.routes.ts'
import { agentSessions, checkWallet } from '../features/agents/sessions/agent-sessions.ts'
import { ownSessions } from '../features/agents/sessions/own-sessions.ts'
import { ownTokenKey } from '../features/agents/sessions/own-token-key.ts'
import { sessionGrants } from '../features/agents/sessions/session-grants.ts'
import { sessionLayersStore } from '../features/agents/sessions/session-layers.store.ts'
import type { Audit } from '../features/audit/audit.ts'
import type { PlatformKey } from '../features/jwks/platform-key.ts'
import { membersStore } from '../features/members/members.store.ts'
import { signingRoutes } from '../features/signing/signing.routes.ts'
import type { SmartAccounts } from '../features/smart-accounts/smart-accounts.ts'
import { budgets } from '../features/spending/budgets/budgets.ts'
import { checkPolicy } from '../features/spending/rules/check-policy.ts'
import { rulesRoutes } from '../features/spending/rules/rules.routes.ts'
import { rules } from '../features/spending/rules/rules.ts'
import type { UserOps } from '../features/userops/userops.ts'
import type { Delegates } from '../http/auth/auth-scheme.ts'
import type { Bound } from '../http/handler.ts'
import type { Idempotency } from '../http/idempotency.ts'
import type { Limiter } from '../http/limiter.ts'
import { wireAgentWork } from './agent-runs.ts'
import { wireAgentGate } from './agent-signing.ts'
import type { AppOptions, Ports } from './app-ports.ts'
import { wireAgentProtocols } from './protocols.ts'
import type { Transactions } from './transactions.ts'
import type { Custody } from './wallets.ts'

/** What the agents' half of the service is wired from. */
export type AgentsParts = {
  ports: Ports
  options: AppOptions
  audit: Audit
  custody: Custody
  transactions: Transactions
  limiter: Limiter
  idempotency: Idempotency
  operations: UserOps
  accounts: SmartAccounts
  key: PlatformKey
  hashToken: (token: string) => Uint8Array
}

/** The agents' half of the service. */
export type AgentsRoom = {
  bound: Bound[]
  delegates: Delegates
  actors: AgentActors
  /** Starts what runs beside the requests. */
  start(): void
  stop(): Promise<void>
}

/** Wires what lets agents act: rules, agents, sessions, their signatures, runs and protocols. */
export function wireAgents(parts: AgentsParts): AgentsRoom {
  const { ports, options, audit, custody, hashToken, key } = parts
  const { sql, enclave, ids, random } = ports
  const { pepper } = ports.secrets
  const { isMember } = membersStore
  const grants = sessionGrants({ enclave, wallets: custody.wallets })
  const own = ownSessions({ sql, pepper, grants, agents: agentsStore })
  const spending = budgets(sql)
  const gate = wireAgentGate({
    ports,
    audit,
    custody,
    transactions: parts.transactions,
    budgets: spending,
  })
  const views = agentSessionViews({ enclave, budgetOf: spending.of })
  const actors = agentActors({ sql, ownTokenKey: (sessionId) => ownTokenKey(pepper, sessionId) })
  const sessions = agentSessions({
    sql,
    ids,
    random,
    hashToken,
    audit,
    grants,
    views,
    cancelRuns: (tx, { sessionId }) => agentRunsStore.cancelOfSession(tx, sessionId),
  })
  const work = wireAgentWork({ ...parts, gate, actors, readSession: sessions.mine })
  const { runs, tools, runnersAvailable } = work
  const { limiter, idempotency } = parts
  const protocols = wireAgentProtocols({
    ports,
    options,
    runs,
    tools,
    ended: gate.signing.ended,
    key,
    limiter,
    idempotency,
  })

  return {
    bound: [
      ...rulesRoutes(
        rules({
          sql,
          audit,
          isMember,
          lock: sessionLayersStore.lock,
          checkPolicy,
          refreshOwnSessions: own.refreshAll,
        }),
      ),
      ...agentsRoutes(
        agents({
          sql,
          ids,
          audit,
          layers: sessionLayersStore,
          ownSessions: own,
          checkPolicy,
          checkWallet,
          isMember,
          isRunnerAllowed: (runner) => runnersAvailable.has(runner),
          cancelRuns: (tx, { agentId }) => agentRunsStore.cancelOfAgent(tx, agentId),
          baseUrl: options.baseUrl,
        }),
      ),
      ...agentSessionsRoutes(sessions),
      ...signingRoutes(custody.signing, gate.signing),
      ...gate.bound,
      ...work.bound,
      ...protocols.bound,
    ],
    delegates: work.delegations,
    actors,
    start() {
      work.worker.start()
      protocols.start()
    },
    async stop() {
      await Promise.all([work.worker.stop(), protocols.stop()])
    },
  }
}
