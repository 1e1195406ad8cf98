import { toHex } from './codec/hex.ts'
import type { EncodedSignature, Signed } from './signature.ts'

/** r‖s‖v of 65 bytes as 0x hex with v 27 or 28 (Yellow Paper, appendix F), and its parts. */
export function encodeRecoverable({ signature, recovery }: Signed): EncodedSignature {
  const hex = toHex(signature)
  return {
    signature: `0x${hex}${recovery === 0 ? '1b' : '1c'}`,
    encoding: 'hex',
    r: `0x${hex.slice(0, 64)}`,
    s: `0x${hex.slice(64)}`,
    v: 27 + recovery,
    y_parity: recovery,
  }
}

/** r‖s of 64 bytes as 0x hex, and its parts. */
export function encodeCompact({ signature }: Signed): EncodedSignature {
  const hex = toHex(signature)
  return { signature: `0x${hex}`, encoding: 'hex', r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}` }
}
