import { decodeRlp, encodeRlp, type RlpItem } from '../codec/rlp.ts'

/** The unsigned form of a signed transaction of a vector: v, r, s cut, for legacy ones replaced (EIP-155). */
export function withoutSignature(signed: Uint8Array, chainId: Uint8Array): Uint8Array {
  const isTyped = (signed[0] ?? 0) < 0xc0
  const item = decodeRlp(isTyped ? signed.subarray(1) : signed)
  if (item instanceof Uint8Array) return encodeRlp(item)
  const empty = new Uint8Array(0)
  const fields: readonly RlpItem[] = item.slice(0, -3)
  if (isTyped) return Uint8Array.of(signed[0] ?? 0, ...encodeRlp(fields))
  return encodeRlp([...fields, chainId, empty, empty])
}
