import {
  ApiError,
  type ErrorCode,
  errors,
  invalidText,
  issueWords,
  namedIssues,
  type SignRequest,
  signBodyBytesMax,
  validationDetails,
} from '@symbolon/api'
import * as z from 'zod'
import { type Failure, isFailure, mapResult } from '../../../runtime/failure.ts'
import type { EvmWallets } from '../../wallets/index.ts'
import { getOwnAgentSession } from '../sessions/agent-sessions.ts'
import { recordMalformed } from '../signing/failed-requests.ts'
import type { SigningCtx } from '../signing/signing-ctx.ts'
import type { AgentActor } from '../signing/signing-request.ts'
import type { AgentTool, ToolContext, ToolHints, ToolRefusal, ToolResult } from './agent-tool.ts'
import type { ToolHolder } from './tool-holder.ts'

/** A tool as models and MCP clients see it; `inputSchema` is JSON Schema (2020-12). */
export type ToolListing = {
  name: string
  description: string
  skill: AgentTool['skill']
  inputSchema: Readonly<Record<string, unknown>>
  isControl: boolean
  hints: ToolHints
}

/** A signing request that a call makes, as far as its arguments say; without a type where they do not fit. */
export type ToolSigning = { type: SignRequest['type'] | null; chain?: string }

/** The one registry of tools, for runs, A2A and MCP alike. */
export type AgentTools = {
  /** The tools by their names, which are unique. */
  byName: ReadonlyMap<string, AgentTool>
  /** The tools as they are shown to models and clients. */
  listings: readonly ToolListing[]
  /** Records a signing request whose arguments do not fit, and shows policies. */
  signing: SigningCtx
  wallets: EvmWallets
}

/** Makes the registry. */
export const agentTools = (
  tools: readonly AgentTool[],
  { signing, wallets }: Pick<AgentTools, 'signing' | 'wallets'>,
): AgentTools => ({
  byName: new Map(tools.map((tool) => [tool.name, tool])),
  listings: tools.map(({ name, description, skill, input, hints, isControl = false }) => ({
    name,
    description,
    skill,
    inputSchema: z.toJSONSchema(input, { io: 'input' }) as Record<string, unknown>,
    isControl,
    hints,
  })),
  signing,
  wallets,
})

/** A tool that can work for somebody, outside of a run; `chains` are those that it can work on, null where it needs none. */
export type UsableTool = ToolListing & { chains: readonly string[] | null }

/**
 * The tools that can work for somebody at all. Who calls another one gets the refusal that says why: nothing is allowed or refused by this
 * list.
 */
export const usableTools = ({ byName, listings }: AgentTools, holder: ToolHolder): UsableTool[] =>
  listings.flatMap((listing) => {
    const chains = byName.get(listing.name)?.chainsFor?.(holder) ?? null
    return listing.isControl || chains?.length === 0 ? [] : [{ ...listing, chains }]
  })

/** What a run is offered: the tools that can work for its session, and those that are about the run itself. */
export const runTools = (tools: AgentTools, holder: ToolHolder): ToolListing[] => [
  ...usableTools(tools, holder),
  ...tools.listings.filter(({ isControl }) => isControl),
]

/** A session as the holder of tools, under its policy as it is now. */
export async function holderOf(
  { signing, wallets }: AgentTools,
  actor: AgentActor,
): Promise<ToolHolder | Failure<'unauthorized' | 'unavailable'>> {
  const { organization, session } = actor
  const [shown, wallet] = await Promise.all([
    getOwnAgentSession(signing, actor),
    wallets.byId(organization.id, session.walletId),
  ])
  return mapResult(shown, ({ effective_policy: policy, transactions: { count, reserved, max } }) => ({
    policy,
    transactionsLeft: max === null ? null : Math.max(0, max - count - reserved),
    supportedNetworks: organization.supportedNetworks,
    isEvmWallet: wallet?.evmAddress !== undefined,
  }))
}

/** The parsed arguments, or the refusal of an unknown tool or of arguments that do not fit. */
export function parseCall(
  { byName }: AgentTools,
  name: string,
  args: unknown,
): { input: Record<string, unknown> } | { refusal: ToolResult } {
  const tool = byName.get(name)
  if (tool === undefined) return { refusal: refusal('unknown_tool', 'Tool not found.') }
  const bytesMax = tool.argumentsBytesMax ?? signBodyBytesMax
  if (Buffer.byteLength(JSON.stringify(args) ?? '') > bytesMax)
    return { refusal: refusal('invalid_arguments', `The arguments are larger than ${bytesMax >> 10} KiB.`) }
  const parsed = tool.input.safeParse(args, { error: issueWords })
  if (parsed.success) return { input: parsed.data }
  const details = namedIssues(validationDetails(parsed.error))
  return { refusal: refusal('invalid_arguments', invalidText('The arguments are invalid', details), details) }
}

/** The signing request that a call makes; undefined where it signs nothing. */
export function signingOf(tools: AgentTools, name: string, args: unknown): ToolSigning | undefined {
  const type = tools.byName.get(name)?.signs
  if (type === undefined) return undefined
  const parsed = parseCall(tools, name, args)
  if ('refusal' in parsed) return { type: null }
  const { chain } = parsed.input
  return { type, ...(typeof chain === 'string' && { chain }) }
}

/** Calls a tool. Throws only errors that may pass when it is called again with the same key. */
export async function callTool(
  tools: AgentTools,
  name: string,
  args: unknown,
  context: ToolContext,
): Promise<ToolResult> {
  const parsed = parseCall(tools, name, args)
  const tool = tools.byName.get(name)
  try {
    if ('refusal' in parsed) {
      if (tool?.signs === undefined) return parsed.refusal
      const error = await recordMalformed(tools.signing, { ...context, body: undefined })
      return error === undefined ? parsed.refusal : resultOf(error)
    }
    if (tool === undefined || tool.isControl === true)
      return refusal('not_in_a_run', 'This tool works only within a run.')
    return resultOf(await tool.run(parsed.input, context))
  } catch (error) {
    if (error instanceof ApiError) return refusalOf(error)
    throw error
  }
}

// A later try of the same call may succeed.
const passing: readonly ErrorCode[] = ['unavailable', 'rpc_failed', 'bundler_failed', 'rate_limited']

/** Whether a tool's error may pass when the call is made again. */
export const isPassing = ({ code }: { code: ErrorCode }): boolean => passing.includes(code)

function resultOf(outcome: unknown): ToolResult {
  if (isFailure(outcome)) return refusalOf(new ApiError(outcome.code, outcome))
  if (isRefusal(outcome)) return refusal(outcome.code, outcome.message, outcome.details)
  return { ok: true, output: outcome }
}

/** An error of the contract as a tool's answer; one that may pass, or that nobody can explain to a model, is thrown. */
function refusalOf(error: ApiError): ToolResult {
  if (error.status === 500 || isPassing(error)) throw error
  const { code, message, details } = error
  return refusal(code, message || errors[code].message, details)
}

function refusal(code: string, message: string, details?: unknown): ToolResult {
  return { ok: false, error: { code, message, ...(details !== undefined && { details }) } }
}

const isRefusal = (outcome: unknown): outcome is ToolRefusal =>
  typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'refused'
