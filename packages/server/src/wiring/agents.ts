import { ApiError } from '@symbolon/api'
import type { Attempts } from '../db/attempts.ts'
import { agentsRoutes } from '../features/agents/registry/agents.routes.ts'
import { verifyDelegation } from '../features/agents/runs/delegations.ts'
import { agentSessionsRoutes } from '../features/agents/sessions/agent-sessions.routes.ts'
import { refreshOwnSessions } from '../features/agents/sessions/own-sessions.ts'
import { agentSign } from '../features/agents/signing/agent-sign.ts'
import { agentSigningRoutes, refuseMalformed } from '../features/agents/signing/signing.routes.ts'
import type { Audit } from '../features/audit/audit.ts'
import type { PlatformKey } from '../features/jwks/platform-key.ts'
import type { HeldReceiptsCtx } from '../features/receipts/index.ts'
import { type SignAsAgent, signingRoutes } from '../features/signing/signing.routes.ts'
import type { SmartAccountsCtx } from '../features/smart-accounts/index.ts'
import { rulesRoutes } from '../features/spending/rules/rules.routes.ts'
import type { Delegates } from '../http/auth/auth-scheme.ts'
import type { Bound } from '../http/handler.ts'
import type { Idempotency } from '../http/idempotency.ts'
import type { Limiter } from '../http/limiter.ts'
import { isFailure } from '../runtime/failure.ts'
import type { FairTurns } from '../runtime/fair-turns.ts'
import { wireRuns } from './agent-runs.ts'
import type { AppOptions, Ports } from './app-ports.ts'
import { wireAuthorizer } from './authorizer.ts'
import type { Outboxes } from './outbox.ts'
import { wireProtocols } from './protocols.ts'
import type { Transactions } from './transactions.ts'
import type { UserOps } from './userops.ts'
import type { Custody } from './wallets.ts'

/** The parts that the agents' half of the service is wired from. */
export type AgentsParts = {
  ports: Ports
  options: AppOptions
  audit: Audit
  outboxes: Pick<Outboxes, 'ownerNotices'>
  custody: Custody
  transactions: Transactions
  limiter: Limiter
  turns: FairTurns
  receipts: HeldReceiptsCtx
  idempotency: Idempotency
  operations: UserOps
  accounts: SmartAccountsCtx
  key: PlatformKey
  hashToken: (token: string) => Uint8Array
  attempts: Attempts
  processId: string
}

/** The agents' half of the service. */
export type AgentsRoom = {
  bound: Bound[]
  delegates: Delegates
  /** Starts what runs beside the requests. */
  start(): void
  /** Looks at once for what has become due. */
  nudge(): void
  stop(): Promise<void>
}

/** Wires what lets agents act: rules, agents, sessions, their signatures, runs and protocols. */
export function wireAgents(parts: AgentsParts): AgentsRoom {
  const { ports, options, audit, custody, hashToken } = parts
  const { sql, enclave, ids, random } = ports
  const signing = wireAuthorizer(parts)
  const work = wireRuns({ ...parts, signing })
  const protocols = wireProtocols({ ...parts, runs: work.runs, tools: work.tools })
  const signer = { enclave, wallets: custody.wallets }
  const own = { sql, pepper: ports.secrets.pepper, signer }
  const runners = new Set(work.runners.keys())
  const asAgent: SignAsAgent = {
    sign: (actor, body, walletId) => agentSign(signing, { actor, body, walletId }),
    malformed: (actor, body) => refuseMalformed(signing, actor, body),
  }
  return {
    bound: [
      ...rulesRoutes({
        sql,
        audit,
        notices: parts.outboxes.ownerNotices,
        enclave,
        refreshOwnSessions: (organizationId) => refreshOwnSessions(own, organizationId),
      }),
      ...agentsRoutes({ ...own, ids, audit, runners }, options.baseUrl),
      ...agentSessionsRoutes({ sql, ids, audit, tokens: { random, hash: hashToken }, signer }),
      ...signingRoutes(custody.signing, asAgent),
      ...agentSigningRoutes(signing),
      ...work.bound,
      ...protocols.bound,
    ],
    delegates: {
      async verify(token, agentId) {
        const verified = await verifyDelegation(work.delegations, token, agentId)
        if (isFailure(verified)) throw new ApiError(verified.code)
        return verified
      },
    },
    start() {
      work.worker.start()
      protocols.start()
    },
    nudge() {
      work.worker.nudge()
      protocols.nudge()
    },
    async stop() {
      await Promise.all([work.worker.stop(), protocols.stop()])
    },
  }
}
