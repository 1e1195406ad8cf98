import { callInText } from './call-in-text.ts'
import { intentOf, understoodSentences } from './intent-grammar.ts'
import { objectiveOf, tooLong } from './objective.ts'
import type { Runner } from './runner.ts'

/**
 * The runner without a model: it makes the one call that the objective is, as a call of a tool or a sentence of its small grammar, and the
 * call's outcome is the run's. The same objective always does the same.
 */
export const intentRunner: Runner = async (task) => {
  const { turns } = task
  const result = turns[0]?.results.at(-1)
  if (result !== undefined) {
    return result.ok
      ? {
          calls: [],
          end: childEnd(result.output) ?? { state: 'completed', result: result.output, error: null },
        }
      : { calls: [], end: { state: 'failed', result: result.error, error: reasonOf(result.error) } }
  }
  const expanded = objectiveOf(task)
  if (expanded === undefined) return tooLong
  const { objective, input } = expanded
  // A text inside a template is not read as a call: quotes in it could make it another one.
  const written = objective === task.objective ? callInText(objective) : undefined
  const call = input.call ?? written ?? intentOf(objective)
  if (call === undefined) {
    const code = 'objective_not_understood'
    return { calls: [], end: { state: 'failed', result: { code, message: notUnderstood }, error: code } }
  }
  return { calls: [call] }
}

const notUnderstood = `This agent accepts one tool call, or one of these sentences: ${understoodSentences.join('; ')}. A mixed-case address must have a valid EIP-55 checksum.`

/** A child's outcome is its parent's. */
function childEnd(output: unknown) {
  if (typeof output !== 'object' || output === null || !('run_id' in output) || !('state' in output))
    return undefined
  const { state, error } = output as { state: unknown; error?: unknown }
  if (state === 'completed') return undefined
  const code = typeof error === 'string' ? error : 'delegate_canceled'
  return { state: 'failed' as const, result: output, error: code }
}

/** The policy's reason where there is one. */
function reasonOf({ code, details }: { code: string; details?: unknown }): string {
  const reason =
    typeof details === 'object' && details !== null && 'reason' in details ? details.reason : undefined
  return typeof reason === 'string' ? reason : code
}
