import type { ToolResult } from '../tools/agent-tool.ts'
import type { RunStep } from './agent-run.ts'
import type { Thought, Turn } from './runner.ts'

/** A thought at hand with the results of its first calls; `isBegun`: its next call was begun, and wrote these notes. */
export type CurrentTurn = {
  thought: Thought
  results: readonly ToolResult[]
  isBegun: boolean
  notes: readonly unknown[]
}

/** The progress of a run: the last journal entry, how many tools were called, the turns that are over, and the one at hand. */
export type RunProgress = {
  seq: number
  steps: number
  turns: readonly Turn[]
  current: CurrentTurn | null
}

/** Reads the journal, oldest entry first. */
export function replayJournal(journal: readonly RunStep[]): RunProgress {
  const turns: { thought: Thought; results: ToolResult[] }[] = []
  let isBegun = false
  let notes: unknown[] = []
  for (const { kind, output } of journal) {
    if (kind === 'think') turns.push({ thought: output as Thought, results: [] })
    if (kind === 'tool') isBegun = true
    if (kind === 'note') notes.push(output)
    if (kind !== 'result' && kind !== 'resume') continue
    turns.at(-1)?.results.push(kind === 'result' ? (output as ToolResult) : { ok: true, output })
    isBegun = false
    notes = []
  }
  const last = turns.at(-1)
  const isOver =
    last === undefined || (last.thought.end === undefined && last.results.length >= last.thought.calls.length)
  return {
    seq: journal.at(-1)?.seq ?? 0,
    steps: journal.filter(({ kind }) => kind === 'tool').length,
    turns: isOver ? turns : turns.slice(0, -1),
    current: isOver ? null : { ...last, isBegun, notes },
  }
}
