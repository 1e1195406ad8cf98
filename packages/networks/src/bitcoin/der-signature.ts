import { concat } from '../codec/concat.ts'

/** The strict DER encoding of r‖s (BIP-66). */
export function derSignature(signature: Uint8Array): Uint8Array {
  const r = derInteger(signature.subarray(0, 32))
  const s = derInteger(signature.subarray(32, 64))
  return concat(Uint8Array.of(0x30, r.length + s.length), r, s)
}

function derInteger(word: Uint8Array): Uint8Array {
  let start = 0
  while (start < 31 && word[start] === 0) start++
  const value = word.subarray(start)
  const sign = (value[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : new Uint8Array(0)
  return concat(Uint8Array.of(2, sign.length + value.length), sign, value)
}
