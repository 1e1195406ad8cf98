import { checksumAddress, parseAddress } from '@symbolon/networks'

/** The spelling an address is stored under: an EVM address with its EIP-55 checksum, any other as it is given. */
export function storedAddress(text: string): string {
  const bytes = parseAddress(text)
  return bytes === undefined ? text : checksumAddress(bytes)
}
