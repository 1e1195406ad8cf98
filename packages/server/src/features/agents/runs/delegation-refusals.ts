/** Why a delegation is refused, for the one who asked for it. */
export const delegationRefusals = {
  agent_not_found: 'There is no such agent.',
  same_wallet: 'A task under a token does not delegate to an agent with the wallet of the token.',
  depth_limit: 'Delegations are at most 3 deep.',
  children_limit: 'A run delegates at most 8 times.',
} as const
