import { type Chain, chains } from '../chains.ts'
import type { NetworkName } from '../network.ts'

/** Networks whose signed bytes name no chain: what is signed for one of their handles is good on all of them. */
const withoutChainId: readonly NetworkName[] = ['bitcoin', 'tron', 'solana', 'near']

const groups: ReadonlyMap<string, readonly string[]> = new Map(
  chains.map(({ handle, network }) => {
    const others = chains.filter((each) => each.network === network && each.handle !== handle)
    return [
      handle,
      withoutChainId.includes(network) ? [handle, ...others.map((each) => each.handle)] : [handle],
    ]
  }),
)

/**
 * The handles that are one chain for a policy, the asked one first: main and test networks of Bitcoin, Tron, Solana and
 * Near are (agents.md "Policy"), every other chain stands alone.
 */
export function policyChains({ handle }: Pick<Chain, 'handle'>): readonly string[] {
  return groups.get(handle) ?? [handle]
}
