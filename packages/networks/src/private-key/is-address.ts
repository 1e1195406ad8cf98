import type { Networks } from '../network-set.ts'

/** No address of any network is longer; base58 takes time that grows with the square. */
const lengthMax = 128

/**
 * Whether a text could be the address of a wallet on one of the networks, its checksum included where its form has one
 * (EIP-55, BIP-173, BIP-350, Base58Check, SEP-23).
 */
export function isAddress(networks: Networks, text: string): boolean {
  return text.length <= lengthMax && networks.list.some((network) => network.isAddress(text))
}
