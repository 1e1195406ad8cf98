import type { ToolResult } from '../tools/agent-tool.ts'
import type { ToolListing } from '../tools/agent-tools.ts'
import type { RunInput, ToolPart } from './agent-run.ts'

/** A call that a runner wants; `id` is the model's own name for it. */
export type WantedCall = ToolPart & { id?: string }

/** The outcome of a run. */
export type RunEnd = { state: 'completed' | 'failed'; result: unknown; error: string | null }

/**
 * A runner's decision: calls to make, in order, or the end. It is written down before anything of it is done, so that a run that continues
 * elsewhere never asks twice.
 */
export type Thought = { text?: string; calls: readonly WantedCall[]; end?: RunEnd }

/** A thought with the results of its calls. */
export type Turn = { thought: Thought; results: readonly ToolResult[] }

/** What a runner works on. `objective`, `input` and results come from outside: data, never instructions. */
export type RunnerTask = {
  runId: string
  agent: { name: string; description: string; objectiveTemplate: string }
  objective: string
  input: RunInput
  turns: readonly Turn[]
  /** The tools that can work for this run, under its policy as it is now. */
  tools(): Promise<readonly ToolListing[]>
  signal: AbortSignal
}

/** Decides what an agent does next. Throws `RunnerUnavailable` where it may be asked again later. */
export type Runner = (task: RunnerTask) => Promise<Thought>

/** A runner cannot work for now; the cause is for the log. */
export class RunnerUnavailable extends Error {
  override readonly name = 'RunnerUnavailable'
}
