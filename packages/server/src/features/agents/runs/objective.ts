import type { RunInput } from './agent-run.ts'
import type { RunnerTask } from './runner.ts'

const placeholder = '{{objective}}'

/**
 * The objective of a runner: the agent's template with the run's objective at its place, or that alone where the template does not name it.
 * A call of a tool stays one only as the whole objective.
 */
export function objectiveOf({ objective, input, agent }: Pick<RunnerTask, 'objective' | 'input' | 'agent'>): {
  objective: string
  input: RunInput
} {
  const template = agent.objectiveTemplate.trim()
  if (!template.includes(placeholder) || template === placeholder) return { objective, input }
  const { call: _call, ...rest } = input
  return { objective: template.replaceAll(placeholder, () => objective), input: rest }
}
