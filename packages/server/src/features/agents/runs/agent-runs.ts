import type { Fail } from '@symbolon/api'
import type { Queryable, Sql } from '../../../db/pool.ts'
import type { AgentSessionPrincipal } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import {
  callerName,
  type Run,
  type RunCaller,
  type RunInput,
  type RunStep,
  type ToolPart,
} from './agent-run.ts'
import {
  agentRunsStore,
  type NewRun,
  type RunFilter,
  type RunScope,
  type TakenMessage,
} from './agent-runs.store.ts'
import { delegationRefusals } from './delegation-refusals.ts'
import type { RunFollowers } from './run-followers.ts'
import type { RunTokenKeys } from './run-token-keys.ts'

/**
 * A run to start. `callerKey` is the caller's own id for it, `messageHash` the message that it comes with: the same one again is the
 * same run.
 */
export type StartRun = {
  organizationId: string
  agentId: string
  caller: RunCaller
  objective: string | ToolPart
  /** What was said beside a call. */
  words?: string
  /** From outside, beside the objective: never an instruction. */
  data?: unknown
  callerKey?: string
  messageHash?: Uint8Array
  metadata?: Readonly<Record<string, unknown>>
}

type StartErrors = 'not_found' | 'agent_archived' | 'forbidden'

const sources = { session: 'a2a', delegate: 'delegation', portal: 'portal', hook: 'hook' } as const

const refusals = {
  ...delegationRefusals,
  lost: 'The run that delegates has ended.',
} as const

/** Nobody asked: the message counts for nothing, and may come again. */
class Unasked extends Error {
  override readonly name = 'Unasked'
}

/** Runs of agents as callers use them. `onStarted` tells the worker that there is something to do. */
export function agentRuns({
  sql,
  ids,
  tokenKeys,
  followers,
  onStarted,
}: {
  sql: Sql
  ids: Ids
  tokenKeys: RunTokenKeys
  followers: RunFollowers
  onStarted: () => void
}) {
  async function start(input: StartRun, fail: Fail<StartErrors>): Promise<{ run: Run; isNew: boolean }> {
    const { messageHash: hash } = input
    const started =
      hash === undefined
        ? await startOn(sql, { ...input, id: ids.next() }, fail)
        : await sql.begin((tx) => startWith(tx, { ...input, id: ids.next() }, hash, fail))
    if (started.isNew) onStarted()
    return started
  }

  /** Starts a run unless its message has started one before. */
  async function startWith(
    tx: Queryable,
    input: StartRun & { id: string },
    hash: Uint8Array,
    fail: Fail<StartErrors>,
  ): Promise<{ run: Run; isNew: boolean }> {
    const { id, agentId, caller } = input
    const taken = { agentId, caller: callerName(caller), hash, runId: id }
    const runId = await agentRunsStore.takeMessage(tx, taken)
    const earlier = runId === undefined ? undefined : await agentRunsStore.byId(tx, runId)
    return earlier === undefined ? startOn(tx, input, fail) : { run: earlier, isNew: false }
  }

  async function startOn(
    on: Queryable,
    input: StartRun & { id: string },
    fail: Fail<StartErrors>,
  ): Promise<{ run: Run; isNew: boolean }> {
    const { organizationId, agentId, caller, callerKey } = input
    const scope = { organizationId, agentId, caller: callerName(caller) }
    const made =
      caller.kind === 'delegate'
        ? await delegate(on, input, caller.delegate.parentRunId, fail)
        : await insert(on, input)
    if (made !== undefined) return { run: made, isNew: true }
    const run = callerKey === undefined ? undefined : await agentRunsStore.byCallerKey(on, scope, callerKey)
    if (run !== undefined) return { run, isNew: false }
    const status = await agentRunsStore.agentStatus(on, organizationId, agentId)
    throw fail(status === 'archived' ? 'agent_archived' : 'not_found')
  }

  /** Nothing where there is no such active agent, or a run of that key. */
  function insert(on: Queryable, input: StartRun & { id: string }): Promise<Run | undefined> {
    const run = newRun(input)
    const { caller } = input
    return agentRunsStore.insert(on, {
      ...run,
      ...(caller.kind === 'session' && { session: sealed(run.id, caller.session) }),
    })
  }

  const sealed = (runId: string, { id, tokenKey }: AgentSessionPrincipal) => ({
    id,
    tokenKeySealed: tokenKeys.seal(runId, tokenKey),
  })

  async function delegate(
    on: Queryable,
    input: StartRun & { id: string },
    parentRunId: string,
    fail: Fail<StartErrors>,
  ): Promise<Run | undefined> {
    const child = newRun(input)
    const outcome = await agentRunsStore.delegate(on, { ...child, parentRunId, held: null })
    if (outcome === 'started') return agentRunsStore.byId(on, child.id)
    if (outcome === 'exists' || outcome === 'agent_not_found') return undefined
    throw fail('forbidden', { message: refusals[outcome] })
  }

  return {
    /** Starts a run, or answers the one that the caller has started under that key before. */
    start,

    /** Inserts a run in the caller's own transaction; nothing where there is no such active agent. Followed by `started` at its commit. */
    insert,
    started: onStarted,

    /** A run that the scope may see. */
    get: (scope: RunScope, runId: string): Promise<Run | undefined> => agentRunsStore.find(sql, scope, runId),

    /** The run that a caller knows by its own id. */
    ofCaller: (scope: Required<RunScope>, callerKey: string): Promise<Run | undefined> =>
      agentRunsStore.byCallerKey(sql, scope, callerKey),

    /** A page of runs, newest first, with their exact number. */
    list: (filter: RunFilter, page: { limit: number; offset: number }) =>
      agentRunsStore.list(sql, filter, page),

    /** What the runner did, in order. */
    journal: (runId: string): Promise<RunStep[]> => agentRunsStore.journal(sql, runId),

    /** The ids of the runs that a run has delegated to. */
    children: (runId: string): Promise<string[]> => agentRunsStore.children(sql, runId),

    /** Ends a run and all under it; false when it has ended already. */
    async cancel(runId: string): Promise<boolean> {
      const done = await agentRunsStore.cancel(sql, runId)
      // Its parent goes on.
      if (done) onStarted()
      return done
    },

    /**
     * Answers what a run has asked; `ignored` when it asks nothing, `repeated` when the message has been its answer before. The text is
     * data to the runner.
     */
    async answerInput(
      runId: string,
      text: string,
      message?: TakenMessage,
    ): Promise<'answered' | 'repeated' | 'ignored'> {
      try {
        const outcome = await sql.begin(async (tx) => {
          const isRepeated =
            message !== undefined &&
            (await agentRunsStore.takeMessage(tx, { ...message, runId })) !== undefined
          if (isRepeated) return 'repeated'
          if (!(await agentRunsStore.answer(tx, runId, { text }))) throw new Unasked()
          return 'answered'
        })
        if (outcome === 'answered') onStarted()
        return outcome
      } catch (error) {
        if (error instanceof Unasked) return 'ignored'
        throw error
      }
    },

    follow: followers.follow,
  }
}

/** The runs as A2A, the portal and hooks use them. */
export type AgentRuns = ReturnType<typeof agentRuns>

function newRun({
  id,
  objective,
  words,
  data,
  caller,
  callerKey,
  ...rest
}: StartRun & { id: string }): NewRun {
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
