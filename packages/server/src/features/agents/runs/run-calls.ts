import type * as z from 'zod'
import { isFailure } from '../../../runtime/failure.ts'
import { sessionActor } from '../registry/agent-actors.ts'
import type { AgentActor } from '../signing/signing-request.ts'
import type { ToolContext, ToolResult } from '../tools/agent-tool.ts'
import { callTool, parseCall } from '../tools/agent-tools.ts'
import type { AskInput, DelegateInput, FinishInput } from '../tools/control-tools.ts'
import type { Run } from './agent-run.ts'
import { agentRunsStore } from './agent-runs.store.ts'
import { delegationRefusals } from './delegation-refusals.ts'
import { mintDelegation, verifyDelegation } from './delegations.ts'
import type { CurrentTurn, RunProgress } from './replay-journal.ts'
import { runJournalStore } from './run-journal.store.ts'
import { Lost, type RunWorkCtx, triesMax, type Work, writeEntry } from './run-work.ts'
import type { RunEnd, WantedCall } from './runner.ts'

/** The call that comes next, and what was done before it. */
export type NextCall = RunProgress & { current: CurrentTurn; wanted: WantedCall }

/** Whether the work goes on with the next step, or the run goes on later; or how it ends. */
type CallOutcome = 'continues' | 'stops' | RunEnd

const stepsMax = 32

/** Makes a call of a tool: it is written down, made, and its result written down. */
export async function makeCall(ctx: RunWorkCtx, work: Work, next: NextCall): Promise<CallOutcome> {
  const { tool, arguments: args } = next.wanted
  const parsed = parseCall(ctx.tools, tool, args)
  const input = 'input' in parsed ? parsed.input : undefined
  let { seq } = next
  if (!next.current.isBegun) {
    if (next.steps >= stepsMax) return { state: 'failed', result: null, error: 'step_limit' }
    if (tool === 'finish' && input !== undefined) return finished(input as z.output<typeof FinishInput>)
    seq = await writeEntry(ctx, work, seq, { kind: 'tool', tool, input: args })
  }
  if (tool === 'delegate' && input !== undefined)
    return delegate(ctx, work, seq, input as z.output<typeof DelegateInput>)
  if (tool === 'ask_user' && input !== undefined)
    return ask(ctx, work, seq, input as z.output<typeof AskInput>)
  return runTool(ctx, work, seq, next)
}

/** Runs a tool under a name of its own, so that a repeated call has no second effect. */
async function runTool(ctx: RunWorkCtx, work: Work, begunAt: number, next: NextCall): Promise<'continues'> {
  const { current, turns, wanted } = next
  const { tool, arguments: args } = wanted
  const { run } = work
  let seq = begunAt
  const context: ToolContext = {
    actor: await actorOf(ctx, run),
    runId: run.id,
    call: {
      key: `${run.id}/${turns.length}/${current.results.length}`,
      // A note that the call writes gives it all tries again.
      get isRepeated() {
        return work.retries < triesMax
      },
      notes: current.notes,
      async note(value) {
        seq = await writeEntry(ctx, work, seq, { kind: 'note', tool, output: value })
      },
    },
  }
  work.signal.throwIfAborted()
  const output = await tryCall(ctx, work, () => callTool(ctx.tools, tool, args, context))
  await writeEntry(ctx, work, seq, { kind: 'result', tool, output })
  return 'continues'
}

/** An error that may pass is thrown, so that the step is tried again, until it was tried often enough. */
async function tryCall(
  { log }: RunWorkCtx,
  work: Work,
  call: () => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Lost || work.retries < triesMax) throw error
    log.warn({ err: error, runId: work.run.id }, 'a tool failed after all retries')
    return refusal('unavailable', 'The tool failed after several attempts.')
  }
}

/** The session that signs for the run, as it is now: a call may come long after the run was claimed. */
export async function actorOf({ sql, tokenKeys, delegations }: RunWorkCtx, run: Run): Promise<AgentActor> {
  const setting = await runJournalStore.setting(sql, run.id)
  const sealed = setting?.tokenKeySealed ?? null
  const tokenKey = sealed === null ? undefined : tokenKeys.open(run.id, sealed)
  const actor = await sessionActor(delegations, run.sessionId, tokenKey)
  if (actor === undefined) throw new Lost()
  return actor
}

async function delegate(
  ctx: RunWorkCtx,
  work: Work,
  seq: number,
  { agent_id: agentId, objective }: z.output<typeof DelegateInput>,
): Promise<'continues' | 'stops'> {
  const { run, signal } = work
  signal.throwIfAborted()
  const outcome = !(await mayDelegate(ctx, run, agentId))
    ? 'agent_not_found'
    : await agentRunsStore.delegate(ctx.sql, {
        id: ctx.delegations.ids.next(),
        parentRunId: run.id,
        held: run.attempt,
        agentId,
        callerKey: null,
        objective: typeof objective === 'string' ? objective : JSON.stringify(objective),
        input: typeof objective === 'string' ? {} : { call: objective },
        metadata: {},
      })
  if (outcome === 'started') return 'stops'
  if (outcome === 'lost' || outcome === 'exists') throw new Lost()
  const output = refusal(outcome, delegationRefusals[outcome])
  await writeEntry(ctx, work, seq, { kind: 'result', tool: 'delegate', output })
  return 'continues'
}

/** A run delegates as callers over A2A do: by a token, minted for one call of this agent and verified. */
async function mayDelegate(
  { delegations }: RunWorkCtx,
  { id, organizationId, agentId, depth }: Run,
  target: string,
): Promise<boolean> {
  const token = await mintDelegation(delegations, { organizationId, agentId, runId: id, depth }, target)
  const verified = await verifyDelegation(delegations, token, target)
  if (!isFailure(verified)) return true
  if (verified.code === 'unauthorized') return false
  throw new Error('A delegation expired before it was used.')
}

async function ask(
  { sql }: RunWorkCtx,
  { run }: Work,
  seq: number,
  { question }: z.output<typeof AskInput>,
): Promise<'stops' | RunEnd> {
  if (!(await runJournalStore.isAnswerable(sql, run.id))) return unanswerable(question)
  if (!(await runJournalStore.ask(sql, run, seq + 1, question))) throw new Lost()
  return 'stops'
}

/** Where nobody can answer, the question is the outcome: a parent, or whoever reads the run, can start another one with the answer. */
function unanswerable(question: string): RunEnd {
  const message = `Nobody can answer this run's question: ${question}`
  const error = 'nobody_to_ask'
  return { state: 'failed', result: { code: error, message, question }, error }
}

function finished({ result, status }: z.output<typeof FinishInput>): RunEnd {
  return { state: status, result, error: status === 'failed' ? 'failed_by_agent' : null }
}

const refusal = (code: string, message: string): ToolResult => ({ ok: false, error: { code, message } })
