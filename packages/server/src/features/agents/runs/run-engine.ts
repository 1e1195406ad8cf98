import { ApiError } from '@symbolon/api'
import type * as z from 'zod'
import { isStorable } from '../../../db/is-storable.ts'
import { isDatabaseUnavailable, type Sql } from '../../../db/pool.ts'
import type { AgentSessionPrincipal, Organization } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { ToolContext, ToolResult } from '../tools/agent-tool.ts'
import type { AgentTools } from '../tools/agent-tools.ts'
import type { AskInput, DelegateInput, FinishInput } from '../tools/control-tools.ts'
import type { Run, RunStep } from './agent-run.ts'
import { agentRunsStore } from './agent-runs.store.ts'
import { delegationRefusals } from './delegation-refusals.ts'
import type { Delegations } from './delegations.ts'
import { keptResult } from './kept-result.ts'
import { replayJournal, type Standing } from './replay-journal.ts'
import { type RunSetting, runJournalStore } from './run-journal.store.ts'
import type { RunTokenKeys } from './run-token-keys.ts'
import { type RunEnd, type Runner, RunnerUnavailable, type Thought, type WantedCall } from './runner.ts'

/** Works on a run that is held until it waits, ends, or is held no more. Rejects only with what the worker should log. */
export type RunEngine = (run: Run, signal: AbortSignal) => Promise<void>

type RunActor = { organization: Organization; session: AgentSessionPrincipal }

const stepsMax = 32
const triesMax = 6
const answer = (code: string, message: string): ToolResult => ({ ok: false, error: { code, message } })

const unstorable: Thought = {
  calls: [],
  end: {
    state: 'failed',
    result: { code: 'invalid_arguments', message: 'A text has U+0000 or half of a surrogate pair.' },
    error: 'invalid_arguments',
  },
}

/** The run is not ours any more: somebody took it over, ended it, or this process stops. Nothing more may be done for it. */
class Lost extends Error {
  override readonly name = 'Lost'
}

/**
 * Makes the engine. It writes down what it is about to do, does it, and writes down what came of it; whoever takes a run over reads
 * the journal and goes on at its end. Every effect is made under the name of its journal entry, so that a repeated one is the same.
 */
export function runEngine({
  sql,
  ids,
  log,
  tools,
  runners,
  tokenKeys,
  actors,
  delegations,
  leaseMs,
  onChanged,
}: {
  sql: Sql
  ids: Ids
  log: Log
  tools: AgentTools
  runners: ReadonlyMap<string, Runner>
  tokenKeys: RunTokenKeys
  actors: { ofSession(sessionId: string, tokenKey?: Uint8Array): Promise<RunActor | undefined> }
  delegations: Delegations
  leaseMs: number
  /** Something can be claimed, or was told to those who follow. */
  onChanged: () => void
}): RunEngine {
  async function write(
    run: Run,
    seq: number,
    step: Partial<RunStep> & Pick<RunStep, 'kind'>,
    signal: AbortSignal,
  ): Promise<number> {
    signal.throwIfAborted()
    const entry = { tool: null, input: null, output: null, ...step, seq: seq + 1 }
    if (!(await runJournalStore.write(sql, run, entry, leaseMs))) throw new Lost()
    // The database begins anew with each entry; what the claim has read are tries of another step.
    run.retries = 0
    return seq + 1
  }

  /** Who signs for the run, as things stand now: a call may come long after the run was taken. */
  async function actorOf(run: Run): Promise<RunActor> {
    const setting = await runJournalStore.setting(sql, run.id)
    const sealed = setting?.tokenKeySealed ?? null
    const actor = await actors.ofSession(
      run.sessionId,
      sealed === null ? undefined : tokenKeys.open(run.id, sealed),
    )
    if (actor === undefined) throw new Lost()
    return actor
  }

  async function think(
    run: Run,
    setting: RunSetting,
    standing: Standing,
    signal: AbortSignal,
  ): Promise<Thought> {
    const runner = runners.get(setting.agent.runner)
    if (runner === undefined)
      return { calls: [], end: { state: 'failed', result: null, error: 'runner_unavailable' } }
    const { id: runId, objective, input } = run
    const thought = await runner({
      runId,
      agent: setting.agent,
      objective,
      input,
      turns: standing.turns,
      signal,
    })
    // The journal would have it, and the tool would do it, with other texts.
    return isStorable(thought.calls) ? thought : unstorable
  }

  /** Makes a call of a tool; answers the seq of the last entry, or `waits` where the run goes on later. */
  async function act(
    run: Run,
    wanted: WantedCall,
    standing: Standing & { current: NonNullable<Standing['current']> },
    signal: AbortSignal,
  ): Promise<number | 'waits' | RunEnd> {
    const { tool, arguments: args } = wanted
    let { seq } = standing
    if (!standing.current.isBegun) {
      if (standing.steps >= stepsMax) return { state: 'failed', result: null, error: 'step_limit' }
      const parsed = tools.parse(tool, args)
      if ('input' in parsed && tool === 'finish')
        return finished(parsed.input as z.output<typeof FinishInput>)
      seq = await write(run, seq, { kind: 'tool', tool, input: args }, signal)
    }
    const parsed = tools.parse(tool, args)
    if ('input' in parsed && tool === 'delegate')
      return delegate(run, seq, parsed.input as z.output<typeof DelegateInput>, signal)
    if ('input' in parsed && tool === 'ask_user') {
      const { question } = parsed.input as z.output<typeof AskInput>
      if (!(await runJournalStore.isAnswerable(sql, run.id))) return unanswerable(question)
      if (!(await runJournalStore.ask(sql, run, seq + 1, question))) throw new Lost()
      return 'waits'
    }
    const { organization, session } = await actorOf(run)
    const context: ToolContext = {
      organization,
      agentId: run.agentId,
      session,
      runId: run.id,
      attemptKey: `${run.id}/${standing.turns.length}/${standing.current.results.length}`,
      // A note that the call makes gives it all tries again.
      get isRepeated() {
        return run.retries < triesMax
      },
      notes: standing.current.notes,
      async note(value) {
        seq = await write(run, seq, { kind: 'note', tool, output: value }, signal)
      },
    }
    signal.throwIfAborted()
    const output = await attempt(run, () => tools.call(tool, args, context))
    return write(run, seq, { kind: 'result', tool, output }, signal)
  }

  /** Runs a call; what may pass later is thrown until it was tried often enough. */
  async function attempt(run: Run, call: () => Promise<ToolResult>): Promise<ToolResult> {
    try {
      return await call()
    } catch (error) {
      if (error instanceof Lost || run.retries < triesMax) throw error
      log.warn({ err: error, runId: run.id }, 'a tool failed for good')
      return answer('unavailable', 'The tool did not work, however often it was tried.')
    }
  }

  /** A delegation goes through the door that those over A2A go through: minted by the runner, good for one call of this agent. */
  async function isAdmitted({ id, organizationId, agentId, depth }: Run, target: string): Promise<boolean> {
    const token = await delegations.mint({ organizationId, agentId, runId: id, depth }, target)
    try {
      await delegations.verify(token, target)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthorized') return false
      throw error
    }
  }

  async function delegate(
    run: Run,
    seq: number,
    { agent_id, objective }: z.output<typeof DelegateInput>,
    signal: AbortSignal,
  ): Promise<number | 'waits'> {
    signal.throwIfAborted()
    const outcome = !(await isAdmitted(run, agent_id))
      ? 'agent_not_found'
      : await agentRunsStore.delegate(sql, {
          id: ids.next(),
          parentRunId: run.id,
          held: run.attempt,
          agentId: agent_id,
          callerKey: null,
          objective: typeof objective === 'string' ? objective : JSON.stringify(objective),
          input: typeof objective === 'string' ? {} : { call: objective },
          metadata: {},
        })
    if (outcome === 'started') return 'waits'
    if (outcome === 'lost' || outcome === 'exists') throw new Lost()
    const output = answer(outcome, delegationRefusals[outcome])
    return write(run, seq, { kind: 'result', tool: 'delegate', output }, signal)
  }

  async function end(run: Run, outcome: RunEnd, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const kept = { ...outcome, result: keptResult(outcome) }
    if (!(await runJournalStore.end(sql, run, kept))) throw new Lost()
  }

  async function work(run: Run, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const standing = replayJournal(await agentRunsStore.journal(sql, run.id))
      const { current } = standing
      if (current === null) {
        const setting = await runJournalStore.setting(sql, run.id)
        if (setting === undefined) throw new Lost()
        const thought = await think(run, setting, standing, signal)
        await write(run, standing.seq, { kind: 'think', output: thought }, signal)
        continue
      }
      const wanted = current.thought.calls[current.results.length]
      if (wanted === undefined) {
        return end(run, current.thought.end ?? { state: 'completed', result: null, error: null }, signal)
      }
      const done = await act(run, wanted, { ...standing, current }, signal)
      if (done === 'waits') return
      if (typeof done === 'object') return end(run, done, signal)
    }
  }

  return async (claimed, signal) => {
    const run = { ...claimed }
    try {
      await work(run, signal)
    } catch (error) {
      // Whoever has it now, or its lease's end, goes on from the journal.
      if (error instanceof Lost || signal.aborted || isDatabaseUnavailable(error)) return
      const told = { err: error, runId: run.id, retries: run.retries }
      if (run.retries < triesMax) {
        const delayMs = 1_000 * 2 ** Math.min(run.retries, 4)
        // Of a run that was ended meanwhile it is no news that its step did not work.
        if (await runJournalStore.postpone(sql, run, delayMs)) log.warn(told, 'a step of a run did not work')
        return
      }
      log.warn(told, 'a step of a run did not work')
      const code = error instanceof RunnerUnavailable ? 'runner_unavailable' : 'internal'
      await runJournalStore.end(sql, run, { state: 'failed', result: null, error: code })
    } finally {
      onChanged()
    }
  }
}

/** A question is the outcome where nobody is there to answer it: a parent, or whoever reads the run, starts another with what it lacked. */
function unanswerable(question: string): RunEnd {
  const message = `Nobody can answer this run, and it asks: ${question}`
  const error = 'nobody_to_ask'
  return { state: 'failed', result: { code: error, message, question }, error }
}

function finished({ result, status }: z.output<typeof FinishInput>): RunEnd {
  return { state: status, result, error: status === 'failed' ? 'failed_by_agent' : null }
}
