import type { RunInput } from './agent-run.ts'
import type { RunnerTask, Thought } from './runner.ts'

const placeholder = '{{objective}}'
const bytesMax = 65_536

/** What is said of an objective that its agent's template makes too long. */
export const objectiveTooLong = `The objective is too long: in the agent's template it has more than 64 KiB.`

/** How a run ends whose objective is too long: its agent's template has changed since it was accepted. */
export const tooLong: Thought = {
  calls: [],
  end: {
    state: 'failed',
    result: { code: 'objective_too_long', message: objectiveTooLong },
    error: 'objective_too_long',
  },
}

/**
 * The objective of a runner: the agent's template with the run's objective at its place, or that alone where the template does not name it.
 * A call of a tool stays one only as the whole objective. Undefined for more than 64 KiB: a template has room for hundreds of places.
 */
export function objectiveOf({
  objective,
  input,
  agent,
}: Pick<RunnerTask, 'objective' | 'input' | 'agent'>): { objective: string; input: RunInput } | undefined {
  const template = agent.objectiveTemplate.trim()
  const places = template.split(placeholder).length - 1
  if (places === 0 || template === placeholder) return { objective, input }
  const more = Buffer.byteLength(objective) - placeholder.length
  if (Buffer.byteLength(template) + places * more > bytesMax) return undefined
  const { call: _call, ...rest } = input
  return { objective: template.replaceAll(placeholder, () => objective), input: rest }
}
