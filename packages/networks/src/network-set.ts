import type { Chain } from './chain.ts'
import type { Network } from './network.ts'

/**
 * The networks that a process knows: a value that is made once, where the process is wired, and handed to whatever works on
 * any network. Production has one such list (`networks`); a test may have a longer one.
 */
export type Networks = {
  readonly list: readonly Network[]
  /** Every chain that has a handle, in the order of the networks. */
  readonly chains: readonly Chain[]
  /** The network of that name, or `undefined`. */
  byName(name: string): Network | undefined
  /** The chain of a handle, or `undefined`. */
  chain(handle: string): Chain | undefined
  /** The network that a chain is of. */
  of(chain: Chain): Network
}

/** A set of networks. Two of one name, or two chains of one handle, are an `Error`. */
export function networkSet(list: readonly Network[]): Networks {
  const chains = list.flatMap((network) => network.chains)
  const byName = new Map(list.map((network) => [network.name, network]))
  const byHandle = new Map(chains.map((chain) => [chain.handle, chain]))
  if (byName.size !== list.length || byHandle.size !== chains.length)
    throw new Error('Two networks have one name, or two chains one handle.')
  return {
    list,
    chains,
    byName: (name) => byName.get(name),
    chain: (handle) => byHandle.get(handle),
    of({ network: name, handle }) {
      const network = byName.get(name)
      if (network === undefined) throw new Error(`${handle} is of no network of this set`)
      return network
    },
  }
}
