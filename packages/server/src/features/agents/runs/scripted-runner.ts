import { setTimeout as sleep } from 'node:timers/promises'
import { objectiveOf, tooLong } from './objective.ts'
import type { Runner, Thought } from './runner.ts'

const sleepMaxMs = 60_000

/**
 * The runner of tests and protocol conformance, never in production: each line of its objective is a step. `call TOOL {…}`, `ask …`,
 * `sleep MS`, `fail CODE`, `say …`; an objective without any such line is returned.
 */
export const scriptedRunner: Runner = async (task) => {
  const { turns, signal } = task
  const expanded = objectiveOf(task)
  if (expanded === undefined) return tooLong
  const { objective, input } = expanded
  if (input.call !== undefined && turns.length === 0) return { calls: [input.call] }
  const steps = objective
    .split('\n')
    .map((line) => /^\s*(call|ask|sleep|fail|say)\s+(.*?)\s*$/.exec(line))
    .filter((step) => step !== null)
  const last = turns.at(-1)?.results.at(-1)
  const [, word, rest = ''] = steps[turns.length] ?? []
  if (word === undefined) {
    const said = {
      text: objective,
      ...(last?.ok && { output: last.output }),
      ...(input.data !== undefined && { data: input.data }),
    }
    return ended('completed', last === undefined ? said : last.ok ? last.output : last.error)
  }
  if (word === 'say') return ended('completed', { text: rest })
  if (word === 'fail') return ended('failed', null, rest)
  if (word === 'ask') return { calls: [{ tool: 'ask_user', arguments: { question: rest } }] }
  if (word === 'sleep') {
    await sleep(Math.min(Number(rest) || 0, sleepMaxMs), undefined, { signal })
    return { calls: [] }
  }
  const [, tool = '', args = '{}'] = /^(\S+)\s*(.*)$/s.exec(rest) ?? []
  try {
    return { calls: [{ tool, arguments: JSON.parse(args || '{}') as Record<string, unknown> }] }
  } catch {
    return ended('failed', null, 'invalid_script')
  }
}

const ended = (state: 'completed' | 'failed', result: unknown, error: string | null = null): Thought => ({
  calls: [],
  end: { state, result, error },
})
