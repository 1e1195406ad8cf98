import { toHex0x } from './codec/hex.ts'
import type { EncodedSignature, Signed } from './signature.ts'

/** The 64 bytes of an ed25519 signature as 0x hex. */
export function encodeEd25519({ signature }: Signed): EncodedSignature {
  return { signature: toHex0x(signature), encoding: 'hex' }
}
