import type { AgentSession, AgentSessionStatus } from '@symbolon/sdk/portal'
import { Badge } from '../../ui/badge.tsx'

const states = {
  active: ['good', 'Active'],
  exhausted: ['warn', 'Used up'],
  expired: ['plain', 'Expired'],
  revoked: ['plain', 'Revoked'],
} as const satisfies Record<AgentSessionStatus, readonly [string, string]>

/** The statuses of sessions with their names, in the order of a filter. */
export const sessionStates = (Object.keys(states) as AgentSessionStatus[]).map(
  (state) => [state, states[state][1]] as const,
)

/** The status of a session. */
export function SessionState({ session: { status } }: { session: Pick<AgentSession, 'status'> }) {
  const [look, text] = states[status]
  return <Badge look={look}>{text}</Badge>
}
