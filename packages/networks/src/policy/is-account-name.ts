import type { Networks } from '../network-set.ts'

/**
 * Whether a text could name an account, contract or token on one of the networks, in a spelling that `addressKey` compares by:
 * with its checksum where its form has one, but that of capitals (EIP-55). A list that blocks by another text would block nobody:
 * an address behind `eip155:1:` or `bitcoin:`, an ICAP, a mistyped one.
 */
export function isAccountName(networks: Networks, text: string): boolean {
  const kinds = networks.list.map(({ policy }) => policy?.nameKind(text))
  return kinds.includes('name') || (kinds.includes('loose') && !kinds.includes('malformed'))
}
