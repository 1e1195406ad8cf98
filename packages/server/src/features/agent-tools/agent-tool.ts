import type { ErrorCode, Fail } from '@symbolon/api'
import type * as z from 'zod'
import type { AgentSessionCaller, Organization } from '../../http/caller.ts'

/** What a tool gave: its output, or why not. A refusal is an answer like any other; what was refused was not done. */
export type ToolResult =
  | { ok: true; output: unknown }
  | { ok: false; error: { code: string; message: string; details?: unknown } }

/**
 * For whom a tool works. All that signs passes the gate of `session`. `attemptKey` names the call: the same one again has no second
 * effect. `notes` are what an earlier try of the same call wrote down with `note`, which resolves once it is durable.
 */
export type ToolContext = {
  organization: Organization
  agentId: string
  session: AgentSessionCaller
  runId?: string
  attemptKey: string
  notes: readonly unknown[]
  note(value: unknown): Promise<void>
}

/** A tool. What it throws as `ApiError` becomes a refusal, but for what may pass when tried later. */
export type AgentTool<schema extends z.ZodObject = z.ZodObject> = {
  name: string
  description: string
  input: schema
  /** Only within a run, whose engine does it: delegate, ask, finish. */
  isControl?: true
  /** Signs: a call is an attempt, even one whose arguments do not fit. */
  isAttempt?: true
  run(input: z.output<schema>, context: ToolContext, fail: Fail<ErrorCode>): Promise<unknown>
}

/** A tool for any registry: the compiler has checked its input against its schema. */
export const agentTool = <schema extends z.ZodObject>(tool: AgentTool<schema>): AgentTool =>
  tool as unknown as AgentTool
