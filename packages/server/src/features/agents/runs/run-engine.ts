import { isStorable } from '../../../db/is-storable.ts'
import { isDatabaseUnavailable } from '../../../db/pool.ts'
import { isFailure } from '../../../runtime/failure.ts'
import { holderOf, runTools, type ToolListing } from '../tools/agent-tools.ts'
import type { Run } from './agent-run.ts'
import { agentRunsStore } from './agent-runs.store.ts'
import { keptResult } from './kept-result.ts'
import { type RunProgress, replayJournal } from './replay-journal.ts'
import { actorOf, makeCall } from './run-calls.ts'
import { runJournalStore } from './run-journal.store.ts'
import { Lost, type RunWorkCtx, triesMax, type Work, writeEntry } from './run-work.ts'
import { type RunEnd, RunnerUnavailable, type Thought } from './runner.ts'

/**
 * Works on a run that this process holds until it waits, ends, or is held no longer. Each step writes down what it is about to do, does it,
 * and writes down what came of it; whoever takes the run over reads the journal and continues at its end. Every effect is named after its
 * journal entry, so that repeating it has no second effect. Rejects only with errors for the worker to log.
 */
export async function workOnRun(ctx: RunWorkCtx, run: Run, signal: AbortSignal): Promise<void> {
  const work = { run, signal, retries: run.retries }
  try {
    while ((await takeStep(ctx, work)) === 'continues');
  } catch (error) {
    await recover(ctx, work, error)
  }
}

/** Reads the journal, then thinks, makes the next call, or ends the run. */
async function takeStep(ctx: RunWorkCtx, work: Work): Promise<'continues' | 'stops'> {
  work.signal.throwIfAborted()
  const progress = replayJournal(await agentRunsStore.journal(ctx.sql, work.run.id))
  const { current } = progress
  if (current === null) {
    const thought = await think(ctx, work, progress)
    await writeEntry(ctx, work, progress.seq, { kind: 'think', output: thought })
    return 'continues'
  }
  const wanted = current.thought.calls[current.results.length]
  const outcome =
    wanted === undefined
      ? (current.thought.end ?? { state: 'completed', result: null, error: null })
      : await makeCall(ctx, work, { ...progress, current, wanted })
  if (typeof outcome === 'string') return outcome
  await end(ctx, work, outcome)
  return 'stops'
}

/** Asks the agent's runner what to do next. */
async function think(ctx: RunWorkCtx, { run, signal }: Work, { turns }: RunProgress): Promise<Thought> {
  const { sql, runners } = ctx
  const setting = await runJournalStore.setting(sql, run.id)
  if (setting === undefined) throw new Lost()
  const { agent } = setting
  const runner = runners.get(agent.runner)
  if (runner === undefined)
    return { calls: [], end: { state: 'failed', result: null, error: 'runner_unavailable' } }
  const { id: runId, objective, input } = run
  const tools = () => offeredTools(ctx, run)
  const thought = await runner({ runId, agent, objective, input, turns, tools, signal })
  // The journal would store other texts, and the tool would act on those.
  return isStorable(thought.calls) ? thought : unstorable
}

/** The tools that a model is shown: a call of another one would only be refused. */
async function offeredTools(ctx: RunWorkCtx, run: Run): Promise<readonly ToolListing[]> {
  const holder = await holderOf(ctx.tools, await actorOf(ctx, run))
  if (!isFailure(holder)) return runTools(ctx.tools, holder)
  // A session that is gone took its runs along.
  if (holder.code === 'unauthorized') throw new Lost()
  throw new RunnerUnavailable('The policy cannot be read.', { cause: holder.cause })
}

const unstorable: Thought = {
  calls: [],
  end: {
    state: 'failed',
    result: { code: 'invalid_arguments', message: 'The text contains U+0000 or a lone surrogate.' },
    error: 'invalid_arguments',
  },
}

async function end({ sql }: RunWorkCtx, { run, signal }: Work, outcome: RunEnd): Promise<void> {
  signal.throwIfAborted()
  const kept = { ...outcome, result: keptResult(outcome) }
  if (!(await runJournalStore.end(sql, run, kept))) throw new Lost()
}

/** Puts off a step that failed, or ends the run where it failed too often. */
async function recover(ctx: RunWorkCtx, work: Work, error: unknown): Promise<void> {
  // Whoever holds the run now, or takes it once its lease ends, continues from the journal.
  if (error instanceof Lost || work.signal.aborted) return
  try {
    await putOff(ctx, work, error)
  } catch (other) {
    // A database that is away fails this as well. One that only refuses the step would refuse it for ever.
    if (!isDatabaseUnavailable(error) || !isDatabaseUnavailable(other)) throw other
  }
}

async function putOff({ sql, log }: RunWorkCtx, { run, retries }: Work, error: unknown): Promise<void> {
  const context = { err: error, runId: run.id, retries }
  if (retries < triesMax) {
    const delayMs = 1_000 * 2 ** Math.min(retries, 4)
    // A failed step of a run that was ended meanwhile is not worth a warning.
    if (await runJournalStore.postpone(sql, run, delayMs)) log.warn(context, 'a step of a run failed')
    return
  }
  log.warn(context, 'a step of a run failed')
  const code = error instanceof RunnerUnavailable ? 'runner_unavailable' : 'internal'
  await runJournalStore.end(sql, run, { state: 'failed', result: null, error: code })
}
