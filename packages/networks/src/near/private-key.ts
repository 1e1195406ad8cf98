import { fromBase58, toBase58 } from '../codec/base58.ts'
import { concat } from '../codec/concat.ts'
import type { PrivateKeyForm } from '../network.ts'

const prefix = 'ed25519:'
/** Base58 takes time that grows with the square of the length; 64 bytes are 88 digits at most. */
const digitsMax = 90

/** Base58 of seed and public key. */
export const nearPrivateKey: PrivateKeyForm = {
  label: 'Near (ed25519:…)',
  format(key, publicKey) {
    const pair = concat(key, publicKey)
    const text = prefix + toBase58(pair)
    pair.fill(0)
    return text
  },
  parse(text) {
    const digits = text.slice(prefix.length)
    return text.startsWith(prefix) && digits.length <= digitsMax ? fromBase58(digits) : undefined
  },
}
