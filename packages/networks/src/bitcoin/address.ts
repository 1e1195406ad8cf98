import { isBech32 } from '../codec/bech32.ts'
import { keyHash, taprootOutputKey } from './output-keys.ts'
import { witnessAddress } from './witness-address.ts'

/** The P2WPKH address on either network and the taproot address (BIP-86) of a key. */
export function bitcoinAddresses(publicKey: Uint8Array): Record<string, string> {
  const program = keyHash(publicKey)
  return {
    bitcoin: witnessAddress('bc', 0, program),
    bitcoin_taproot: witnessAddress('bc', 1, taprootOutputKey(publicKey)),
    bitcoin_testnet: witnessAddress('tb', 0, program),
  }
}

/** P2WPKH (42 characters) and Taproot (62), on the main and the test network. */
export function isBitcoinAddress(text: string): boolean {
  const lower = text.toLowerCase()
  return ['bc', 'tb'].some((prefix) =>
    lower.startsWith(`${prefix}1p`)
      ? lower.length === 62 && isBech32(prefix, lower, 'bech32m')
      : lower.length === 42 && lower.startsWith(`${prefix}1q`) && isBech32(prefix, lower),
  )
}
