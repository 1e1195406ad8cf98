import type { Queryable, Sql } from '../../../db/pool.ts'
import type { AgentSessionPrincipal } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { callerName, type Run, type RunCaller, type RunInput, type ToolPart } from './agent-run.ts'
import { agentRunsStore, type NewRun, type TakenMessage } from './agent-runs.store.ts'
import { delegationRefusals } from './delegation-refusals.ts'
import { objectiveTooLong } from './objective.ts'
import type { RunFollowers } from './run-followers.ts'
import type { RunTokenKeys } from './run-token-keys.ts'
import type { RunWorker } from './run-worker.ts'

/** The context for starting, answering and canceling runs. */
export type RunsCtx = {
  sql: Sql
  ids: Ids
  tokenKeys: RunTokenKeys
  followers: RunFollowers
  worker: Pick<RunWorker, 'nudge'>
}

/**
 * A run to start. `callerKey` is the caller's own id for it, `messageHash` identifies the message that asks for it: the same one again
 * names the same run.
 */
export type StartRun = {
  organizationId: string
  agentId: string
  caller: RunCaller
  objective: string | ToolPart
  /** Text beside a call. */
  words?: string
  /** From outside, beside the objective: never an instruction. */
  data?: unknown
  callerKey?: string
  messageHash?: Uint8Array
  metadata?: Readonly<Record<string, unknown>>
}

type NamedRun = StartRun & { id: string }
type Started = { run: Run; isNew: boolean }
type Refusal = Failure<'not_found' | 'agent_archived' | 'invalid_request'>
type StartFailure = Refusal | Failure<'forbidden'>

/** Starts a run, or returns the one that the caller started before under the same key or by the same message. */
export async function startRun(ctx: RunsCtx, input: StartRun): Promise<Started | StartFailure> {
  const { sql, ids, tokenKeys } = ctx
  const { messageHash: hash } = input
  const named = { ...input, id: ids.next() }
  const started =
    hash === undefined
      ? await sql.alone((tx) => insertOrFind(tokenKeys, tx, named))
      : await sql.begin((tx) => startOnce(tokenKeys, tx, named, hash))
  if (!isFailure(started) && started.isNew) announceRuns(ctx)
  return started
}

/** Reports new work to the worker, and a change to those who follow runs. After the commit of what changed. */
export function announceRuns({ followers, worker }: Pick<RunsCtx, 'followers' | 'worker'>): void {
  followers.nudge()
  worker.nudge()
}

/** Ends a run and all under it; false where it has ended already. */
export async function cancelRun(ctx: RunsCtx, runId: string): Promise<boolean> {
  const isCanceled = await ctx.sql.alone((tx) => agentRunsStore.cancel(tx, runId))
  // Its parent goes on.
  if (isCanceled) announceRuns(ctx)
  return isCanceled
}

/**
 * Answers a run's question. `ignored`: it asks nothing; `repeated`: the message was its answer before. The text is data to the runner.
 */
export async function answerRun(
  ctx: RunsCtx,
  runId: string,
  text: string,
  message?: TakenMessage,
): Promise<'answered' | 'repeated' | 'ignored'> {
  const outcome = await ctx.sql.begin(async (tx) => {
    const isRepeated =
      message !== undefined && (await agentRunsStore.takeMessage(tx, { ...message, runId })) !== undefined
    if (isRepeated) return 'repeated'
    if (await agentRunsStore.answer(tx, runId, { text })) return 'answered'
    // Rolls back: the message was not used, and may come again.
    return failure('not_found')
  })
  if (isFailure(outcome)) return 'ignored'
  if (outcome === 'answered') announceRuns(ctx)
  return outcome
}

/**
 * Inserts a run; undefined where `insertRefusal` says why, or the caller has a run of that key. Once it is committed, it is announced by
 * `announceRuns`.
 */
export function insertRun(tokenKeys: RunTokenKeys, on: Queryable, input: NamedRun): Promise<Run | undefined> {
  const { caller } = input
  return agentRunsStore.insert(on, {
    ...newRun(input),
    ...(caller.kind === 'session' && { session: sealedSession(tokenKeys, input.id, caller.session) }),
  })
}

/** Why a run was not inserted: there is no such active agent, or its template makes the objective longer than 64 KiB (`invalid_request`). */
export async function insertRefusal(on: Queryable, input: NamedRun): Promise<Refusal> {
  const { organizationId, agentId } = input
  const status = await agentRunsStore.agentStatus(on, organizationId, agentId)
  if (status !== 'active') return failure(status === 'archived' ? 'agent_archived' : 'not_found')
  const isShort = await agentRunsStore.isShortEnough(on, agentId, newRun(input).objective)
  return isShort ? failure('not_found') : failure('invalid_request', { message: objectiveTooLong })
}

/** Starts a run unless its message started one before. */
async function startOnce(
  tokenKeys: RunTokenKeys,
  tx: Queryable,
  input: NamedRun,
  hash: Uint8Array,
): Promise<Started | StartFailure> {
  const { id, agentId, caller } = input
  const taken = { agentId, caller: callerName(caller), hash, runId: id }
  const runId = await agentRunsStore.takeMessage(tx, taken)
  const earlier = runId === undefined ? undefined : await agentRunsStore.byId(tx, runId)
  return earlier === undefined ? insertOrFind(tokenKeys, tx, input) : { run: earlier, isNew: false }
}

async function insertOrFind(
  tokenKeys: RunTokenKeys,
  on: Queryable,
  input: NamedRun,
): Promise<Started | StartFailure> {
  const { organizationId, agentId, caller, callerKey } = input
  const scope = { organizationId, agentId, caller: callerName(caller) }
  const made =
    caller.kind === 'delegate'
      ? await insertChild(on, input, caller.delegate.parentRunId)
      : await insertRun(tokenKeys, on, input)
  if (isFailure(made)) return made
  if (made !== undefined) return { run: made, isNew: true }
  const run = callerKey === undefined ? undefined : await agentRunsStore.byCallerKey(on, scope, callerKey)
  if (run !== undefined) return { run, isNew: false }
  return insertRefusal(on, input)
}

async function insertChild(
  on: Queryable,
  input: NamedRun,
  parentRunId: string,
): Promise<Run | Failure<'forbidden' | 'invalid_request'> | undefined> {
  const child = newRun(input)
  const outcome = await agentRunsStore.delegate(on, { ...child, parentRunId, held: null })
  if (outcome === 'started') return agentRunsStore.byId(on, child.id)
  if (outcome === 'exists' || outcome === 'agent_not_found') return undefined
  const message = outcome === 'lost' ? 'The delegating run has ended.' : delegationRefusals[outcome]
  return failure(outcome === 'objective_too_long' ? 'invalid_request' : 'forbidden', { message })
}

const sealedSession = (tokenKeys: RunTokenKeys, runId: string, { id, tokenKey }: AgentSessionPrincipal) => ({
  id,
  tokenKeySealed: tokenKeys.seal(runId, tokenKey),
})

const sources = { session: 'a2a', delegate: 'delegation', portal: 'portal', hook: 'hook' } as const

function newRun({ id, objective, words, data, caller, callerKey, ...rest }: NamedRun): NewRun {
  const input: RunInput = {
    ...(typeof objective !== 'string' && { call: objective }),
    ...(data !== undefined && { data }),
  }
  return {
    id,
    organizationId: rest.organizationId,
    agentId: rest.agentId,
    source: sources[caller.kind],
    caller: callerName(caller),
    callerKey: callerKey ?? null,
    objective:
      typeof objective === 'string'
        ? objective
        : [...(words === undefined ? [] : [words]), JSON.stringify(objective)].join('\n'),
    input,
    metadata: rest.metadata ?? {},
  }
}
