import { checksumAddress, parseAddress } from '@symbolon/networks'

/** The stored spelling of an address: an EVM address with its EIP-55 checksum, any other unchanged. */
export function storedAddress(text: string): string {
  const bytes = parseAddress(text)
  return bytes === undefined ? text : checksumAddress(bytes)
}
