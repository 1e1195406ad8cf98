import { fromBase58, fromBase58Check } from './codec/base58.ts'
import { fromBech32, isBech32 } from './codec/bech32.ts'
import { parseAddress } from './evm/address.ts'
import { readStrkey } from './stellar/strkey.ts'

/** No address of any network is longer; base58 takes time that grows with the square. */
const lengthMax = 128

/**
 * Whether a text could be the address of a wallet on one of the networks, its checksum included where its form has one
 * (EIP-55, BIP-173, BIP-350, Base58Check, SEP-23).
 */
export function isAddress(text: string): boolean {
  if (text.length > lengthMax) return false
  const lower = text.toLowerCase()
  return (
    parseAddress(text) !== undefined ||
    isBitcoin(lower) ||
    isTron(text) ||
    fromBech32('cosmos', lower)?.length === 20 ||
    fromBech32('osmo', lower)?.length === 20 ||
    // Near has the bare digits, Aptos the same behind 0x; Solana has 32 bytes in base58.
    /^(?:0x)?[0-9a-f]{64}$/.test(lower) ||
    fromBase58(text)?.length === 32 ||
    readStrkey('account', text) !== undefined
  )
}

/** P2WPKH (42 characters) and Taproot (62), on the main and the test network. */
function isBitcoin(text: string): boolean {
  return ['bc', 'tb'].some((prefix) =>
    text.startsWith(`${prefix}1p`)
      ? text.length === 62 && isBech32(prefix, text, 'bech32m')
      : text.length === 42 && text.startsWith(`${prefix}1q`) && isBech32(prefix, text),
  )
}

function isTron(text: string): boolean {
  const read = fromBase58Check(text)
  return read?.version === 0x41 && read.payload.length === 20
}
