import { toBase58, toBase58Check } from '../codec/base58.ts'
import { concat } from '../codec/concat.ts'
import { toHex, toHex0x } from '../codec/hex.ts'
import type { Curve, NetworkName } from '../network.ts'
import { invalidRequest } from '../network-error.ts'
import { strkey } from '../stellar/strkey.ts'
import { isPrivateKey, publicKeyOf } from './secret-key.ts'

/** A private key as the wallets of one network import it; `label` says to a person what the text is. */
export type PrivateKeyText = { readonly network: NetworkName; readonly label: string; readonly text: string }

const wifVersion = 0x80
/** Says of a WIF that its addresses are made of the compressed public key. */
const compressedMark = Uint8Array.of(1)

/**
 * A key of 32 bytes in the text of each network of its curve: 0x hex (EVM), WIF (Bitcoin), hex (Tron, Cosmos), base58 of
 * seed and public key (Solana, Near), AIP-80 (Aptos), S… strkey (Stellar, SEP-23).
 * The texts are strings, which nobody can wipe: ask for them only to show them. `NetworkError('invalid_request')` for
 * what is no key of the curve.
 */
export function formatPrivateKey(curve: Curve, key: Uint8Array): PrivateKeyText[] {
  if (!isPrivateKey(curve, key)) throw invalidRequest('This is not a private key.')
  return curve === 'secp256k1' ? secp256k1Texts(key) : ed25519Texts(key)
}

function secp256k1Texts(key: Uint8Array): PrivateKeyText[] {
  const payload = concat(key, compressedMark)
  const wif = toBase58Check(wifVersion, payload)
  payload.fill(0)
  return [
    { network: 'evm', label: 'Ethereum and EVM chains (hex)', text: toHex0x(key) },
    { network: 'bitcoin', label: 'Bitcoin (WIF)', text: wif },
    { network: 'tron', label: 'Tron (hex)', text: toHex(key) },
    { network: 'cosmos', label: 'Cosmos and Osmosis (hex)', text: toHex(key) },
  ]
}

function ed25519Texts(key: Uint8Array): PrivateKeyText[] {
  const pair = concat(key, publicKeyOf('ed25519', key))
  const base58 = toBase58(pair)
  pair.fill(0)
  return [
    { network: 'solana', label: 'Solana (base58)', text: base58 },
    { network: 'near', label: 'Near (ed25519:…)', text: `ed25519:${base58}` },
    { network: 'aptos', label: 'Aptos (AIP-80)', text: `ed25519-priv-${toHex0x(key)}` },
    { network: 'stellar', label: 'Stellar (S…)', text: strkey('seed', key) },
  ]
}
