import * as z from 'zod'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'

const AgentParams = z.strictObject({ agentID: Id })

/** The discovery card; which of its forms depends on `A2A-Version`. */
const AgentCard = z
  .looseObject({
    id: z.string().optional(),
    name: z.string(),
    description: z.string().min(1),
    capabilities: z.record(z.string(), z.unknown()),
    endpoint_url: z.string().optional(),
    signatures: z.array(z.looseObject({ protected: z.string(), signature: z.string() })),
  })
  .meta({ id: 'AgentCard' })

/** A request of JSON-RPC 2.0, or its answer. */
const JsonRpc = z.looseObject({ jsonrpc: z.literal('2.0') }).meta({ id: 'JsonRpc' })

const card = {
  method: 'GET',
  lane: 'public',
  handler: 'raw',
  summary: 'Discover an agent',
  description:
    'Has the documented fields and those of A2A 0.3 and 1.0. Send `A2A-Version: 1.0` for a strict 1.0 card. Signed with the platform’s key in `/.well-known/jwks.json`. Supports `ETag`, `Cache-Control` and `Vary`.',
  params: AgentParams,
  envelope: false,
  status: 200,
  data: AgentCard,
  errors: ['unavailable'],
} as const

/** The card of an agent. */
export const getAgentCard = {
  ...card,
  id: 'a2a.card',
  path: '/v1/agents/{agentID}/.well-known/agent-card.json',
} as const satisfies Route

/** The card where older clients look for it. */
export const getLegacyAgentCard = {
  ...card,
  id: 'a2a.legacyCard',
  path: '/v1/agents/{agentID}/.well-known/agent.json',
} as const satisfies Route

/** The JSON-RPC endpoint of an agent. */
export const callAgent = {
  id: 'a2a.call',
  method: 'POST',
  path: '/v1/agents/{agentID}/a2a',
  lane: 'agent_or_delegate',
  limit: 'agent',
  handler: 'raw',
  summary: 'Talk to an agent (A2A over JSON-RPC 2.0)',
  description:
    'Methods of A2A 0.1 (`tasks/send`, `tasks/get`), 0.2 and 0.3 (`message/send`, …) and 1.0 (`SendMessage`, …). Protocol errors return 200 with a JSON-RPC error. Streams are Server-Sent Events.',
  params: AgentParams,
  body: JsonRpc,
  envelope: false,
  status: 200,
  data: JsonRpc,
  errors: ['forbidden'],
  answerLimitMs: 40_000,
} as const satisfies Route

/** The Model Context Protocol endpoint of an agent. */
export const callAgentTools = {
  id: 'mcp.call',
  method: 'POST',
  path: '/v1/agents/{agentID}/mcp',
  lane: 'agent',
  limit: 'agent',
  isSigningRequest: true,
  handler: 'raw',
  summary: 'Use the tools of an agent (MCP, Streamable HTTP)',
  description:
    'Stateless: every request stands alone. The token must be bound to the agent. `tools/list` has the tools that the token can use. Pages may call it from an allowed origin. Each message of a batch counts against the rate limit.',
  params: AgentParams,
  body: JsonRpc,
  envelope: false,
  status: 200,
  data: JsonRpc,
  errors: ['forbidden', 'origin_not_allowed'],
  answerLimitMs: 40_000,
} as const satisfies Route
