import { wireAgentGate } from './agent-gate.ts'
import { wireAgentProtocols } from './agent-protocols.ts'
import { wireAgentWork } from './agent-work.ts'
import type { AppOptions, Ports } from './app-ports.ts'
import type { Custody } from './custody.ts'
import { agentRunsStore } from './features/agent-runs/agent-runs.store.ts'
import { agentSessionViews } from './features/agent-sessions/agent-session-views.ts'
import { agentSessionsRoutes } from './features/agent-sessions/agent-sessions.routes.ts'
import { agentSessions, checkWallet } from './features/agent-sessions/agent-sessions.ts'
import { checkPolicy } from './features/agent-sessions/check-policy.ts'
import { ownSessions } from './features/agent-sessions/own-sessions.ts'
import { ownTokenKey } from './features/agent-sessions/own-token-key.ts'
import { sessionGrants } from './features/agent-sessions/session-grants.ts'
import { sessionLayersStore } from './features/agent-sessions/session-layers.store.ts'
import { budgets } from './features/agent-signing/budgets.ts'
import { type AgentActors, agentActors } from './features/agents/agent-actors.ts'
import { agentsRoutes } from './features/agents/agents.routes.ts'
import { agentsStore } from './features/agents/agents.store.ts'
import { agents } from './features/agents/agents.ts'
import { apiKeysStore } from './features/api-keys/api-keys.store.ts'
import type { Audit } from './features/audit/audit.ts'
import type { PlatformKey } from './features/jwks/platform-key.ts'
import { rulesRoutes } from './features/rules/rules.routes.ts'
import { rules } from './features/rules/rules.ts'
import { signingRoutes } from './features/signing/signing.routes.ts'
import type { SmartAccounts } from './features/smart-accounts/smart-accounts.ts'
import type { UserOps } from './features/userops/userops.ts'
import type { Bound } from './http/handler.ts'
import type { Idempotency } from './http/idempotency.ts'
import type { Delegates } from './http/lanes.ts'
import type { Limiter } from './http/limiter.ts'

/** What the agents' half of the service is wired from. */
export type AgentsParts = {
  ports: Ports
  options: AppOptions
  audit: Audit
  custody: Custody
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
  const { isMember } = apiKeysStore
  const grants = sessionGrants({ enclave, wallets: custody.wallets })
  const own = ownSessions({ sql, pepper, grants, agents: agentsStore })
  const spending = budgets(sql)
  const gate = wireAgentGate({ ports, audit, custody, budgets: spending })
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
      gate.sender.start()
      work.worker.start()
      protocols.start()
    },
    async stop() {
      await Promise.all([gate.sender.stop(), work.worker.stop(), protocols.stop()])
    },
  }
}
