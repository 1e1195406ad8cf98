import type { Networks } from '../network-set.ts'
import { isNativeAsset } from './address-key.ts'

/**
 * Whether a text could name an account, contract or token on one of the networks, in a spelling that `addressKey` understands. Checksums
 * must be right, apart from the capitals of EIP-55. Anything else on a list of blocked recipients would block nobody: an address with
 * `eip155:1:` or `bitcoin:` before it, an ICAP address, a typo.
 */
export function isAccountName(networks: Networks, text: string): boolean {
  const kinds = networks.list.map(({ policy }) => policy?.nameKind(text))
  return kinds.includes('name') || (kinds.includes('loose') && !kinds.includes('malformed'))
}

/** Whether a text could name a contract on a chain. Anything else on a list of allowed contracts would allow nothing. */
export function isContractName(networks: Networks, handle: string, text: string): boolean {
  const chain = networks.chain(handle)
  const policy = chain && networks.of(chain).policy
  if (chain === undefined || policy === undefined) return false
  const kind = policy.nameKind(text)
  if (kind !== undefined) return kind !== 'malformed'
  const isSpelling = policy.assetKey?.(text, chain) !== undefined
  return isSpelling || policy.nameForm?.test(text) === true
}

/** Whether a text could name a token on a chain; the native asset counts as one. */
export function isTokenName(networks: Networks, handle: string, text: string): boolean {
  return isContractName(networks, handle, text) || isNativeAsset(networks, handle, text)
}
