import { ApiError, type ErrorCode, errors, fail, firstIssueText, type SignRequest } from '@symbolon/api'
import * as z from 'zod'
import {
  type AgentTool,
  type ToolContext,
  type ToolHints,
  ToolRefusal,
  type ToolResult,
} from './agent-tool.ts'

/** A tool as models and MCP clients are told of it; `inputSchema` is JSON Schema (2020-12). */
export type ToolListing = {
  name: string
  description: string
  inputSchema: Readonly<Record<string, unknown>>
  isControl: boolean
  hints: ToolHints
}

/** A try to sign, as far as it can be told before it is made. */
export type ToolAttempt = { type: SignRequest['type'] | null; chain?: string }

/** The one registry of tools, for runs, A2A and MCP alike. */
export type AgentTools = {
  list(): readonly ToolListing[]
  /** The parsed arguments, or the refusal of what is no tool or does not fit. */
  parse(name: string, args: unknown): { input: Record<string, unknown> } | { refusal: ToolResult }
  /** What a call tries to sign: undefined where that is nothing, without a type where the arguments do not fit. */
  attemptOf(name: string, args: unknown): ToolAttempt | undefined
  /** Throws only what may pass when it is tried again later with the same `attemptKey`. */
  call(name: string, args: unknown, context: ToolContext): Promise<ToolResult>
}

// What a later try of the same call may do better.
const passing: readonly ErrorCode[] = ['unavailable', 'rpc_failed', 'bundler_failed', 'rate_limited']

/** Whether a tool's error may pass when the call is made again. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && passing.includes(error.code)

/** Makes the registry of these tools; their names are unique. `onMalformed` hears of attempts whose arguments do not fit. */
export function agentTools(
  tools: readonly AgentTool[],
  onMalformed: (context: ToolContext) => Promise<void>,
): AgentTools {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const listings = tools.map(({ name, description, input, hints, isControl = false }) => ({
    name,
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input' }) as Record<string, unknown>,
    isControl,
    hints,
  }))

  function parse(name: string, args: unknown): ReturnType<AgentTools['parse']> {
    const tool = byName.get(name)
    if (tool === undefined) return { refusal: refusal('unknown_tool', 'There is no such tool.') }
    const parsed = tool.input.safeParse(args)
    if (parsed.success) return { input: parsed.data }
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.map(String), message }))
    const first = firstIssueText({ issues })
    const message = `The arguments do not fit the tool${first === undefined ? '' : `: ${first}`}.`
    return { refusal: refusal('invalid_arguments', message, { issues }) }
  }

  return {
    list: () => listings,
    parse,
    attemptOf(name, args) {
      const type = byName.get(name)?.signs
      if (type === undefined) return undefined
      const parsed = parse(name, args)
      if ('refusal' in parsed) return { type: null }
      const { chain } = parsed.input
      return { type, ...(typeof chain === 'string' && { chain }) }
    },
    async call(name, args, context) {
      const parsed = parse(name, args)
      const tool = byName.get(name)
      try {
        if ('refusal' in parsed) {
          if (tool?.signs !== undefined) await onMalformed(context)
          return parsed.refusal
        }
        if (tool === undefined || tool.isControl === true)
          return refusal('not_in_a_run', 'This tool works within a run only.')
        return { ok: true, output: await tool.run(parsed.input, context, fail) }
      } catch (error) {
        if (error instanceof ToolRefusal) return refusal(error.code, error.message, error.details)
        if (!(error instanceof ApiError) || error.status === 500 || isPassing(error)) throw error
        return refusalOf(error)
      }
    },
  }
}

/** An error of the contract as a tool's answer. */
export const refusalOf = ({ code, message, details }: ApiError): ToolResult =>
  refusal(code, message || errors[code].message, details)

function refusal(code: string, message: string, details?: unknown): ToolResult {
  return { ok: false, error: { code, message, ...(details !== undefined && { details }) } }
}
