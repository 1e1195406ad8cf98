import type { Chain } from '../chain.ts'
import type { Networks } from '../network-set.ts'

/**
 * The handles that are one chain for a policy, the asked one first: all chains of a network whose signed bytes name none (agents.md
 * "Policy"), every other chain stands alone.
 */
export function policyChains(networks: Networks, { handle }: Pick<Chain, 'handle'>): readonly string[] {
  const chain = networks.chain(handle)
  const { policy, chains } = chain ? networks.of(chain) : {}
  if (chains === undefined || policy?.isChainSigned !== false) return [handle]
  return [handle, ...chains.map((each) => each.handle).filter((other) => other !== handle)]
}
