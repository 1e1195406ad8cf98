import { sha3 } from '#keccak'
import { concat } from '../codec/concat.ts'
import { toHex0x } from '../codec/hex.ts'

const singleKeyScheme = Uint8Array.of(0)
const specialStart = `0x${'0'.repeat(63)}`

/** The 32 bytes of the account that an ed25519 key makes: its legacy authentication key. */
export function accountAddress(publicKey: Uint8Array): Uint8Array {
  return sha3(concat(publicKey, singleKeyScheme))
}

/** An address as AIP-40 writes it: `0x0` to `0xf` short, all others with their 64 digits. */
export function displayAddress(address: Uint8Array): string {
  const text = toHex0x(address)
  return text.startsWith(specialStart) ? `0x${text.slice(-1)}` : text
}

/** Whether a text is an address with all its 64 digits. */
export function isAptosAddress(text: string): boolean {
  return /^0x[0-9a-f]{64}$/.test(text.toLowerCase())
}
