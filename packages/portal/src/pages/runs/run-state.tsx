import type { AgentRun, AgentRunState } from '@symbolon/sdk/portal'
import { Badge } from '../../ui/badge.tsx'

const states = {
  queued: ['plain', 'Queued'],
  running: ['accent', 'Running'],
  awaiting_delegate: ['accent', 'Waits for an agent'],
  awaiting_input: ['warn', 'Asks something'],
  awaiting_approval: ['warn', 'Waits for approval'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
  canceled: ['plain', 'Canceled'],
} as const satisfies Record<AgentRunState, readonly [string, string]>

/** The states of runs in the order of a filter, with their names. */
export const runStates = (Object.keys(states) as AgentRunState[]).map(
  (state) => [state, states[state][1]] as const,
)

/** Where a run stands. */
export function RunState({ run: { state } }: { run: Pick<AgentRun, 'state'> }) {
  const [look, text] = states[state]
  return <Badge look={look}>{text}</Badge>
}

/** Where runs come from, in words. */
export const runSources: Record<AgentRun['source'], string> = {
  a2a: 'over A2A',
  hook: 'by a hook',
  portal: 'from the portal',
  delegation: 'by another agent',
}

/** What a run is about, as people read it: the sentence, or the tool that it calls. */
export function objectiveText(objective: string): string {
  try {
    const call: unknown = JSON.parse(objective)
    if (typeof call === 'object' && call !== null && 'tool' in call) return `Call ${String(call.tool)}`
  } catch {
    // A sentence is no JSON.
  }
  return objective
}
