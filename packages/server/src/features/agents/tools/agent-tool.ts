import type { ErrorCode, Fail, SignRequest } from '@symbolon/api'
import type * as z from 'zod'
import type { AgentSessionPrincipal, Organization } from '../../../http/principal.ts'

/** What a tool gave: its output, or why not. A refusal is an answer like any other; what was refused was not done. */
export type ToolResult =
  | { ok: true; output: unknown }
  | { ok: false; error: { code: string; message: string; details?: unknown } }

/**
 * For whom a tool works. All that signs passes the gate of `session`. `attemptKey` names the call: the same one again has no second
 * effect. `notes` are what an earlier try of the same call wrote down with `note`, which resolves once it is durable. `isRepeated`: the
 * call is made again for what may pass; without it this is the last try.
 */
export type ToolContext = {
  organization: Organization
  agentId: string
  session: AgentSessionPrincipal
  runId?: string
  attemptKey: string
  /** How long `attemptKey` names the call; for good without it. */
  attemptHours?: number
  isRepeated?: boolean
  notes: readonly unknown[]
  note(value: unknown): Promise<void>
}

/** A refusal by a tool itself, under a code that the API has not. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal'
  readonly code: string
  readonly details: unknown

  constructor({ code, message, details }: { code: string; message: string; details: unknown }) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** What a call of a tool does, as MCP clients are told of it (MCP, "Tool annotations"); they are hints. */
export type ToolHints = {
  /** It changes and signs nothing. */
  readOnlyHint: boolean
  /** What it does cannot be taken back. */
  destructiveHint: boolean
  /** The same call again does no more. */
  idempotentHint: boolean
  /** It deals with others: chains, sellers, agents, people. */
  openWorldHint: boolean
}

/** Of tools that only look. */
export const readingHints = (openWorldHint: boolean): ToolHints => ({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint,
})

/** Of tools that pay, or have somebody pay: each call does it again. */
export const payingHints: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

/** A tool. What it throws as `ApiError` or `ToolRefusal` becomes a refusal, but for what may pass when tried later. */
export type AgentTool<schema extends z.ZodObject = z.ZodObject> = {
  name: string
  description: string
  hints: ToolHints
  input: schema
  /** Only within a run, whose engine does it: delegate, ask, finish. */
  isControl?: true
  /** What it signs: a call is an attempt, even one whose arguments do not fit. */
  signs?: SignRequest['type']
  run(input: z.output<schema>, context: ToolContext, fail: Fail<ErrorCode>): Promise<unknown>
}

/** A tool for any registry: the compiler has checked its input against its schema. */
export const agentTool = <schema extends z.ZodObject>(tool: AgentTool<schema>): AgentTool =>
  tool as unknown as AgentTool
