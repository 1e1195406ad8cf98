import { objectiveTooLong } from './objective.ts'

/** Why a delegation is refused, for the one who asked for it. */
export const delegationRefusals = {
  agent_not_found: 'Agent not found.',
  same_wallet: 'A task under a session token cannot delegate to an agent with the same wallet.',
  depth_limit: 'Delegations can be at most 3 deep.',
  children_limit: 'A run can delegate at most 8 times.',
  objective_too_long: objectiveTooLong,
} as const
