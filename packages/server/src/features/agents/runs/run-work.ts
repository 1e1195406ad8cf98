import type { Sql } from '../../../db/pool.ts'
import type { Log } from '../../../ports/log.ts'
import type { AgentTools } from '../tools/agent-tools.ts'
import type { Run, RunStep } from './agent-run.ts'
import type { DelegationsCtx } from './delegations.ts'
import { runJournalStore } from './run-journal.store.ts'
import type { RunTokenKeys } from './run-token-keys.ts'
import type { Runner } from './runner.ts'

/** The context for working on runs; `runners` are those of this installation, by name. */
export type RunWorkCtx = {
  sql: Sql
  log: Log
  tools: AgentTools
  runners: ReadonlyMap<string, Runner>
  tokenKeys: RunTokenKeys
  delegations: DelegationsCtx
}

/** The work of this process on a run that it holds. `retries` counts the tries of the step at hand. */
export type Work = { readonly run: Run; readonly signal: AbortSignal; retries: number }

/** The lease of a run: a process that does not renew it in time loses the run. */
export const runLeaseMs = 15_000

/** A step that failed so often is not tried again. */
export const triesMax = 6

/** The run is held no longer: another process took it over, it was ended, or this process stops. Nothing more may be done for it. */
export class Lost extends Error {
  override readonly name = 'Lost'
}

/** Writes the journal's next entry and returns its place. */
export async function writeEntry(
  { sql }: RunWorkCtx,
  work: Work,
  seq: number,
  step: Partial<RunStep> & Pick<RunStep, 'kind'>,
): Promise<number> {
  work.signal.throwIfAborted()
  const entry = { tool: null, input: null, output: null, ...step, seq: seq + 1 }
  if (!(await runJournalStore.write(sql, work.run, entry, runLeaseMs))) throw new Lost()
  // The database counts the tries of each step from 0.
  work.retries = 0
  return seq + 1
}
