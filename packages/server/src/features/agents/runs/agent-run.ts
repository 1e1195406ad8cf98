import type { AgentRun, AgentRunState, AgentRunStep, AgentRunSummary } from '@symbolon/api'
import type { AgentSessionPrincipal, DelegatePrincipal } from '../../../http/principal.ts'

/** One call of a tool, as an objective or as a runner wants it. */
export type ToolPart = { tool: string; arguments: Readonly<Record<string, unknown>> }

/** The caller that starts a run: a token's session, another agent, a person in the portal, a hook. */
export type RunCaller =
  | { kind: 'session'; session: AgentSessionPrincipal }
  | { kind: 'delegate'; delegate: DelegatePrincipal }
  | { kind: 'portal'; userId: string }
  | { kind: 'hook'; hookId: string }

/** The name that keeps a caller's runs apart: no caller finds another one's. */
export function callerName(caller: RunCaller): string {
  if (caller.kind === 'session') return `session:${caller.session.id}`
  if (caller.kind === 'delegate') return `agent:${caller.delegate.parentAgentId}`
  return caller.kind === 'portal' ? `portal:${caller.userId}` : `hook:${caller.hookId}`
}

/** A run's input beside its objective: the one call that the objective is, if it is one, and data from outside. */
export type RunInput = { call?: ToolPart; data?: unknown }

/** A run as the database has it. */
export type Run = {
  id: string
  organizationId: string
  agentId: string
  sessionId: string
  parentRunId: string | null
  depth: number
  source: AgentRun['source']
  caller: string
  callerKey: string | null
  state: AgentRunState
  objective: string
  input: RunInput
  metadata: Readonly<Record<string, unknown>>
  /** The run's question, while it waits for the answer. */
  question: string | null
  result: unknown
  error: string | null
  journal: number
  steps: number
  attempt: number
  retries: number
  /** Rises with every change. */
  version: number
  createdAt: Date
  updatedAt: Date
  endedAt: Date | null
}

/** The fields of a run on the wire. */
type WireRun = Omit<
  Run,
  'caller' | 'callerKey' | 'input' | 'metadata' | 'question' | 'journal' | 'attempt' | 'retries' | 'version'
>

/** A run in a list; `truncated` names the fields that are cut. */
export type ListedRun = WireRun & { truncated: AgentRunSummary['truncated'] }

/** An entry of a run's journal. */
export type RunStep = {
  seq: number
  kind: 'think' | 'tool' | 'note' | 'result' | 'delegate' | 'ask' | 'resume' | 'end'
  tool: string | null
  input: unknown
  output: unknown
  createdAt: Date
}

/** A run as the wire has it. */
export const runToWire = (run: WireRun): AgentRun => ({
  id: run.id,
  organization_id: run.organizationId,
  agent_id: run.agentId,
  session_id: run.sessionId,
  parent_run_id: run.parentRunId,
  state: run.state,
  source: run.source,
  objective: run.objective,
  result: run.result,
  error: run.error,
  depth: run.depth,
  steps: run.steps,
  created_at: run.createdAt.toISOString(),
  updated_at: run.updatedAt.toISOString(),
  ended_at: run.endedAt?.toISOString() ?? null,
})

/** A run in a list as the wire has it. */
export const listedRunToWire = (run: ListedRun): AgentRunSummary => ({
  ...runToWire(run),
  truncated: run.truncated,
})

/** An entry of the journal as the wire has it. */
export const runStepToWire = ({ createdAt, ...step }: RunStep): AgentRunStep => ({
  ...step,
  created_at: createdAt.toISOString(),
})

/** Whether nothing comes after this state. */
export const isEnded = ({ state }: Pick<Run, 'state'>): boolean =>
  state === 'completed' || state === 'failed' || state === 'canceled'
