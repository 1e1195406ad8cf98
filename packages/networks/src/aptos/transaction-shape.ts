import { sha3 } from '#keccak'
import { decodeUtf8, encodeUtf8 } from '../codec/utf8.ts'

const prefixHashes = ['APTOS::RawTransaction', 'APTOS::RawTransactionWithData'].map((name) =>
  sha3(encodeUtf8(name)),
)
/** First bytes of compiled Move code. */
const moveMagic = Uint8Array.of(0xa1, 0x1c, 0xeb, 0x0b)
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Sender (32) and sequence number (8) come before the payload's variant. */
const payloadStart = 40

/** RawTransactionWithData: with further signers, with a fee payer. */
const withDataVariants = 2

/**
 * Whether bytes start with the prefix hash of an Aptos signing message, with a BCS RawTransaction, or with one of the forms that hold one
 * (RawTransactionWithData).
 */
export function looksLikeAptosTransaction(bytes: Uint8Array): boolean {
  if (prefixHashes.some((prefix) => startsWith(bytes, prefix, 0))) return true
  return (
    isRawTransaction(bytes) || ((bytes[0] ?? 0xff) < withDataVariants && isRawTransaction(bytes.subarray(1)))
  )
}

function isRawTransaction(bytes: Uint8Array): boolean {
  switch (bytes[payloadStart]) {
    case 0:
      return isScript(bytes, payloadStart + 1)
    case 2:
      return isEntryFunction(bytes, payloadStart + 1)
    case 3:
      return bytes.length > payloadStart + 33 && (bytes[payloadStart + 33] ?? 2) <= 1
    case 4:
      return bytes[payloadStart + 1] === 0 && (bytes[payloadStart + 2] ?? 4) <= 3
    default:
      return false
  }
}

function isScript(bytes: Uint8Array, start: number): boolean {
  let at = start
  while ((bytes[at] ?? 0) >= 0x80) at++
  return startsWith(bytes, moveMagic, at + 1)
}

/** Module address, module name, function name, each name with its length in one byte. */
function isEntryFunction(bytes: Uint8Array, start: number): boolean {
  const moduleAt = start + 32
  const functionAt = moduleAt + 1 + (bytes[moduleAt] ?? 0)
  return isIdentifier(bytes, moduleAt) && isIdentifier(bytes, functionAt)
}

function isIdentifier(bytes: Uint8Array, at: number): boolean {
  const length = bytes[at] ?? 0
  if (at + 1 + length > bytes.length) return false
  return identifier.test(decodeUtf8(bytes.subarray(at + 1, at + 1 + length)) ?? '')
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array, at: number): boolean {
  return prefix.every((byte, index) => bytes[at + index] === byte)
}
