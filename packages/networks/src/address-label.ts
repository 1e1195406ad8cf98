import type { Curve } from './chain.ts'
import type { Networks } from './network-set.ts'

/** What people call the address of a name on the wire: as its network does, or like the chain it belongs to. */
export function addressLabel(networks: Networks, name: string): string {
  const own = networks.list.find(({ addressLabels }) => addressLabels?.[name] !== undefined)?.addressLabels
  return own?.[name] ?? networks.chains.find(({ addressName }) => addressName === name)?.label ?? name
}

/** The networks of a curve by their main chains, such as `Solana, Near, Aptos`. */
export function curveLabel({ list }: Networks, curve: Curve): string {
  return list
    .flatMap((network) => (network.curve === curve ? (network.chains[0]?.label ?? []) : []))
    .join(', ')
}
