import { decodeUtf8 } from '../codec/utf8.ts'

/**
 * Whether a message is a sign document of Cosmos (SIGN_MODE_LEGACY_AMINO_JSON), whatever its spaces, order and further members: chains with
 * SIGN_MODE_EIP_191 take its signature as a message of Ethereum for a transaction.
 */
export function isSignDocument(message: Uint8Array): boolean {
  try {
    const { chain_id, fee, msgs, sequence } = JSON.parse(decodeUtf8(message) ?? '') as Record<string, unknown>
    return ![chain_id, fee, msgs, sequence].includes(undefined)
  } catch {
    return false
  }
}
