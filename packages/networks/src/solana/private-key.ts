import { fromBase58, toBase58 } from '../codec/base58.ts'
import { concat } from '../codec/concat.ts'
import type { PrivateKeyForm } from '../network.ts'

/** Base58 takes time that grows with the square of the length; 64 bytes are 88 digits at most. */
const digitsMax = 90

/** Base58 of seed and public key; read is also base58 of the seed alone, and the file of Solana's command line: 64 numbers. */
export const solanaPrivateKey: PrivateKeyForm = {
  label: 'Solana (base58)',
  format(key, publicKey) {
    const pair = concat(key, publicKey)
    const text = toBase58(pair)
    pair.fill(0)
    return text
  },
  parse(text) {
    if (text.startsWith('[')) return numberBytes(text)
    return text.length > digitsMax ? undefined : fromBase58(text)
  },
}

function numberBytes(text: string): Uint8Array | undefined {
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    return undefined
  }
  const isBytes =
    Array.isArray(values) &&
    values.length === 64 &&
    values.every((value) => Number.isInteger(value) && value >= 0 && value <= 255)
  return isBytes ? Uint8Array.from(values as number[]) : undefined
}
