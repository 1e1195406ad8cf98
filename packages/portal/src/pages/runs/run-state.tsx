import type { AgentRun, AgentRunState } from '@symbolon/sdk/portal'
import { Badge } from '../../ui/badge.tsx'

const states = {
  queued: ['plain', 'Queued'],
  running: ['accent', 'Running'],
  awaiting_delegate: ['accent', 'Waiting for agent'],
  awaiting_input: ['warn', 'Needs input'],
  awaiting_approval: ['warn', 'Needs approval'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
  canceled: ['plain', 'Canceled'],
} as const satisfies Record<AgentRunState, readonly [string, string]>

/** The states of runs with their names, in the order of a filter. */
export const runStates = (Object.keys(states) as AgentRunState[]).map(
  (state) => [state, states[state][1]] as const,
)

/** The state of a run. */
export function RunState({ run: { state } }: { run: Pick<AgentRun, 'state'> }) {
  const [look, text] = states[state]
  return <Badge look={look}>{text}</Badge>
}

/** The origin of a run, in words. */
export const runSources: Record<AgentRun['source'], string> = {
  a2a: 'over A2A',
  hook: 'by a hook',
  portal: 'from the portal',
  delegation: 'by another agent',
}

/** An objective for people: the sentence, or the tool that it calls. */
export function objectiveText(objective: string): string {
  try {
    const call: unknown = JSON.parse(objective)
    if (typeof call === 'object' && call !== null && 'tool' in call) return `Call ${String(call.tool)}`
  } catch {
    // A sentence, not JSON.
  }
  return objective
}
