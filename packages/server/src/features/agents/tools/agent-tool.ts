import type { SignRequest } from '@symbolon/api'
import type * as z from 'zod'
import type { AgentActor } from '../signing/signing-request.ts'
import type { ToolHolder } from './tool-holder.ts'

/** A tool's output, or why there is none. A refusal is an answer like any other; what was refused was not done. */
export type ToolResult =
  | { ok: true; output: unknown }
  | { ok: false; error: { code: string; message: string; details?: unknown } }

/** One call of a tool, the same again when it is repeated. */
export type ToolCall = {
  /** Names the call: a repeated one has no second effect. */
  key: string
  /** How long the key names the call; for good without it. */
  keyHours?: number | undefined
  /** The call is made again where its error may pass; otherwise this is the last try. */
  isRepeated?: boolean
  /** Notes that an earlier try of the call wrote. */
  notes: readonly unknown[]
  /** Writes a note; resolves once it is durable. */
  note(value: unknown): Promise<void>
}

/** For whom a tool works, in which run. Every signature is authorized for the session of `actor`. */
export type ToolContext = { actor: AgentActor; runId?: string; call: ToolCall }

/** A refusal by a tool itself, under a code that the API does not have. */
export type ToolRefusal = { kind: 'refused'; code: string; message: string; details: unknown }

/** Hints on a call's effects, for MCP clients (MCP, "Tool annotations"). */
export type ToolHints = {
  /** It changes and signs nothing. */
  readOnlyHint: boolean
  /** Its effects cannot be undone. */
  destructiveHint: boolean
  /** The same call again does no more. */
  idempotentHint: boolean
  /** It deals with others: chains, sellers, agents, people. */
  openWorldHint: boolean
}

/** Hints of tools that only read. */
export const readingHints = (openWorldHint: boolean): ToolHints => ({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint,
})

/** Hints of tools that pay, or have somebody pay: each call does it again. */
export const payingHints: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

/** A tool. It returns its output, or a `Failure` or `ToolRefusal`, which the model reads; an error that a retry can cure is tried again. */
export type AgentTool<schema extends z.ZodObject = z.ZodObject> = {
  name: string
  description: string
  /** What an agent that has it can do, as others are told. */
  skill: { name: string; description: string }
  hints: ToolHints
  input: schema
  /** Works only within a run, whose engine does it: delegate, ask, finish. */
  isControl?: true
  /** A call that is made again under its key continues from its notes, or returns what it has done: it has no effect twice. */
  isContinued?: true
  /** The kind of payload that it signs: every call is a signing request, even with wrong arguments. */
  signs?: SignRequest['type']
  /** The most bytes of JSON that its arguments have; 64 KiB without it. */
  argumentsBytesMax?: number
  /** The handles of the chains on which it can work for somebody, none where it cannot work at all; missing where it needs no chain. */
  chainsFor?(holder: ToolHolder): readonly string[]
  run(input: z.output<schema>, context: ToolContext): Promise<unknown>
}

/** A tool for the registry: the compiler has checked its input against its schema. */
export const agentTool = <schema extends z.ZodObject>(tool: AgentTool<schema>): AgentTool =>
  tool as unknown as AgentTool
