import * as z from 'zod'
import { Id, Prose, Timestamp } from './formats.ts'
import { page } from './wallet-list.ts'

/** The state of a run; the last three are final. */
export const AgentRunState = z
  .enum([
    'queued',
    'running',
    'awaiting_delegate',
    'awaiting_input',
    'awaiting_approval',
    'completed',
    'failed',
    'canceled',
  ])
  .meta({ id: 'AgentRunState' })

/** A run to start: an objective in words, or one call of a tool. */
export const StartAgentRun = z
  .strictObject({
    objective: z.union([
      Prose.min(1).max(8192),
      z.strictObject({
        tool: z.string().min(1).max(64),
        arguments: z.record(z.string(), z.unknown()).exactOptional(),
      }),
    ]),
  })
  .meta({ id: 'StartAgentRun' })

/** The steps of a run, in order. */
export const AgentRunStep = z
  .strictObject({
    seq: z.int(),
    kind: z
      .string()
      .meta({ description: '`think`, `tool`, `note`, `result`, `delegate`, `ask`, `resume` or `end`.' }),
    tool: z.string().nullable(),
    input: z.unknown(),
    output: z.unknown(),
    created_at: Timestamp,
  })
  .meta({ id: 'AgentRunStep' })

/** The largest stored result of a run, in bytes of JSON. */
export const agentRunResultBytesMax = 65_536

const shape = {
  id: Id,
  organization_id: Id,
  agent_id: Id,
  session_id: Id,
  parent_run_id: Id.nullable(),
  state: AgentRunState,
  source: z.enum(['a2a', 'hook', 'portal', 'delegation']),
  objective: z.string(),
  result: z.unknown(),
  error: z.string().nullable(),
  depth: z.int(),
  steps: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  ended_at: Timestamp.nullable(),
}

/** A run of an agent. */
export const AgentRun = z.strictObject(shape).meta({ id: 'AgentRun' })

/** A run in a list: an objective or a result of more than 4096 characters is cut to its beginning, a result as the text of its JSON. */
export const AgentRunSummary = z
  .strictObject({
    ...shape,
    truncated: z
      .array(z.enum(['objective', 'result']))
      .meta({ description: 'The fields that are cut here. The run has the whole text.' }),
  })
  .meta({ id: 'AgentRunSummary' })

/** A run with its journal and its children. */
export const AgentRunDetail = z
  .strictObject({ ...shape, journal: z.array(AgentRunStep), children: z.array(Id) })
  .meta({ id: 'AgentRunDetail' })

/** Which runs. */
export const ListAgentRuns = z.strictObject({ ...page, state: AgentRunState.exactOptional() })

/** A page of runs, newest first. */
export const AgentRunPage = z
  .strictObject({ items: z.array(AgentRunSummary), total: z.int(), limit: z.int(), offset: z.int() })
  .meta({ id: 'AgentRunPage' })

/** A run as the API returns it. */
export type AgentRun = z.output<typeof AgentRun>
/** A run in a list. */
export type AgentRunSummary = z.output<typeof AgentRunSummary>
/** A run's state. */
export type AgentRunState = z.output<typeof AgentRunState>
/** A step of a run. */
export type AgentRunStep = z.output<typeof AgentRunStep>
