import type { RunsCtx } from '../features/agents/runs/agent-runs.ts'
import type { AgentTools } from '../features/agents/tools/agent-tools.ts'
import type { PlatformKey } from '../features/jwks/platform-key.ts'
import { a2aRoutes } from '../features/protocols/a2a/a2a.routes.ts'
import { streamsMax } from '../features/protocols/a2a/a2a.ts'
import { openStreams } from '../features/protocols/a2a/open-streams.ts'
import { pushTargets } from '../features/protocols/a2a/push-config.ts'
import { pushWorker } from '../features/protocols/a2a/push-worker.ts'
import { largeListsMax } from '../features/protocols/a2a/task-page.ts'
import { mcpRoutes } from '../features/protocols/mcp/mcp.routes.ts'
import type { Bound } from '../http/handler.ts'
import type { Idempotency } from '../http/idempotency.ts'
import type { Limiter } from '../http/limiter.ts'
import type { AppOptions, Ports } from './app-ports.ts'

/** The parts that the protocols are wired from. */
export type ProtocolsParts = {
  ports: Ports
  options: AppOptions
  runs: RunsCtx
  tools: AgentTools
  key: PlatformKey
  limiter: Limiter
  idempotency: Idempotency
  processId: string
}

/** The protocols' routes, and what runs beside them. */
export type ProtocolsRoom = { bound: Bound[]; start(): void; nudge(): void; stop(): Promise<void> }

const patienceMs = 30_000

/** Wires the protocols that others talk to agents by: A2A and MCP, with push notifications. */
export function wireProtocols(parts: ProtocolsParts): ProtocolsRoom {
  const { ports, options, runs, tools, key, limiter, idempotency } = parts
  const { sql, ids, log, outbound, jitter } = ports
  const { baseUrl, originRules } = options
  const targets = pushTargets(ports.secrets.pepper)
  const issuer = { url: baseUrl, key }
  const pushes = pushWorker({ sql, outbound, targets, issuer, log, jitter }, parts.processId)
  const cards = { tools, signer: { key, baseUrl } }
  const tasks = { runs, targets, outbound, cards, patienceMs, largeLists: openStreams(largeListsMax) }
  return {
    bound: [
      ...a2aRoutes({ tasks, streams: openStreams(streamsMax), log }),
      ...mcpRoutes({ mcp: { sql, tools, idempotency, ids, log }, limiter, originRules, baseUrl }),
    ],
    start: pushes.start,
    nudge: pushes.nudge,
    stop: pushes.stop,
  }
}
