import { ApiError, fail } from '@symbolon/api'
import { callerName, type RunCaller } from '../features/agents/runs/agent-run.ts'
import type { AgentRuns } from '../features/agents/runs/agent-runs.ts'
import type { AgentSigning } from '../features/agents/signing/agent-signing.ts'
import type { AgentTools } from '../features/agents/tools/agent-tools.ts'
import type { PlatformKey } from '../features/jwks/platform-key.ts'
import { retryDelayMs } from '../features/outbox/retry-schedule.ts'
import { a2aRoutes, calledAgent } from '../features/protocols/a2a/a2a.routes.ts'
import { a2a } from '../features/protocols/a2a/a2a.ts'
import { pushTargets } from '../features/protocols/a2a/push-config.ts'
import { pushWorker } from '../features/protocols/a2a/push-worker.ts'
import type { A2aCaller, TaskRuns } from '../features/protocols/index.ts'
import { mcpRoutes } from '../features/protocols/mcp/mcp.routes.ts'
import { mcp } from '../features/protocols/mcp/mcp.ts'
import type { Bound } from '../http/handler.ts'
import type { Idempotency } from '../http/idempotency.ts'
import type { Limiter } from '../http/limiter.ts'
import type { AppOptions, Ports } from './app-ports.ts'

/** What the protocols are wired from. */
export type AgentProtocolParts = {
  ports: Ports
  options: AppOptions
  runs: AgentRuns
  tools: AgentTools
  /** Writes the event of an ended session's attempt. */
  ended: AgentSigning['ended']
  key: PlatformKey
  limiter: Limiter
  idempotency: Idempotency
}

/** The protocols' routes, and what runs beside them. */
export type AgentProtocols = { bound: Bound[]; start(): void; stop(): Promise<void> }

const patienceMs = 30_000

/** Wires what others talk to agents by: A2A and MCP, with push notifications. */
export function wireAgentProtocols({
  ports,
  options,
  runs,
  tools,
  ended,
  key,
  limiter,
  idempotency,
}: AgentProtocolParts): AgentProtocols {
  const { sql, ids, log, outbound, jitter } = ports
  const { baseUrl } = options
  const targets = pushTargets(ports.secrets.pepper)
  const pushes = pushWorker({
    sql,
    outbound,
    targets,
    key,
    issuer: baseUrl,
    log,
    retryDelayMs: (attempts) => retryDelayMs(attempts, { isExpiring: false, random: jitter() }),
  })
  const answer = a2a({
    sql,
    ids,
    runs: taskRuns(runs),
    targets,
    mayCall: outbound.allows,
    baseUrl,
    patienceMs,
    log,
  })
  return {
    bound: [
      ...a2aRoutes({ sql, answer, baseUrl }),
      ...mcpRoutes({
        sql,
        serve: mcp({ sql, tools, idempotency, ids, log }),
        called: calledAgent,
        attemptOf: tools.attemptOf,
        ended,
        baseUrl,
        limiter,
        originRules: options.originRules,
      }),
    ],
    start: pushes.start,
    stop: pushes.stop,
  }
}

/** The runs as tasks need them. */
const taskRuns = (runs: AgentRuns): TaskRuns => ({
  callerName: (principal) => callerName(runCaller(principal)),
  async start(principal, agent, { objective: { text, call }, name, metadata }) {
    try {
      const { run, isNew } = await runs.start(
        {
          organizationId: agent.organizationId,
          agentId: agent.id,
          caller: runCaller(principal),
          objective: call ?? text,
          ...(call !== undefined && text !== '' && { words: text }),
          ...('key' in name ? { callerKey: name.key } : name),
          metadata,
        },
        fail,
      )
      return { id: run.id, isNew }
    } catch (error) {
      if (error instanceof ApiError && (error.code === 'agent_archived' || error.code === 'not_found'))
        return undefined
      throw error
    }
  },
  answer: runs.answerInput,
  async cancel(runId) {
    await runs.cancel(runId)
  },
  follow: runs.follow,
})

const runCaller = ({ session, delegate }: A2aCaller): RunCaller =>
  session === undefined ? { kind: 'delegate', delegate } : { kind: 'session', session }
