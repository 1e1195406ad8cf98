import { networkIds } from './network-id.ts'

/** Shortest bodies: a v1 transaction and a v0 transaction without operations. */
const shortestV1 = 4 + 4 + 32 + 4 + 8 + 4 + 4 + 4
const shortestV0 = 4 + 32 + 4 + 8 + 4 + 4 + 4

/** Whether bytes start with a Stellar TransactionEnvelope (v0, v1, fee bump) or the payload that is hashed. */
export function looksLikeStellarTransaction(bytes: Uint8Array): boolean {
  if (networkIds.some((id) => id.every((byte, index) => bytes[index] === byte))) return true
  switch (wordAt(bytes, 0)) {
    case 0:
      return bytes.length >= shortestV0 && wordAt(bytes, 48) <= 1
    case 2:
      return bytes.length >= shortestV1 && isMuxedAccount(bytes)
    case 5:
      return bytes.length >= shortestV1 && isMuxedAccount(bytes)
    default:
      return false
  }
}

function isMuxedAccount(bytes: Uint8Array): boolean {
  const type = wordAt(bytes, 4)
  return type === 0 || type === 0x100
}

function wordAt(bytes: Uint8Array, at: number): number {
  if (at + 4 > bytes.length) return -1
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0)
}
