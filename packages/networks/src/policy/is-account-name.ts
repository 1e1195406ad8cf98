import type { Networks } from '../network-set.ts'
import { isNativeAsset } from './address-key.ts'

/**
 * Whether a text could name an account, contract or token on one of the networks, in a spelling that `addressKey` compares by:
 * with its checksum where its form has one, but that of capitals (EIP-55). A list that blocks by another text would block nobody:
 * an address behind `eip155:1:` or `bitcoin:`, an ICAP, a mistyped one.
 */
export function isAccountName(networks: Networks, text: string): boolean {
  const kinds = networks.list.map(({ policy }) => policy?.nameKind(text))
  return kinds.includes('name') || (kinds.includes('loose') && !kinds.includes('malformed'))
}

/** Whether a text could name a contract that the transactions of a chain call. A list that allows another text allows nothing by it. */
export function isContractName(networks: Networks, handle: string, text: string): boolean {
  const chain = networks.chain(handle)
  const policy = chain && networks.of(chain).policy
  if (chain === undefined || policy === undefined) return false
  const kind = policy.nameKind(text)
  if (kind !== undefined) return kind !== 'malformed'
  const isSpelling = policy.assetKey?.(text, chain) !== undefined
  return isSpelling || policy.nameForm?.test(text) === true
}

/** The same of tokens, which the native asset is one of. */
export function isTokenName(networks: Networks, handle: string, text: string): boolean {
  return isContractName(networks, handle, text) || isNativeAsset(networks, handle, text)
}
