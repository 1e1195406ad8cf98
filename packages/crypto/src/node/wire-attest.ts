import { expectEnd, readBytes16, WireError, type WireReader, type WireWriter, writeBytes16 } from './wire.ts'
import { readJson, writeJson } from './wire-agent.ts'

/** Fewest and most bytes of a caller's nonce. */
export const attestNonceBytes = { min: 16, max: 64 } as const

/**
 * Ask for a public attestation with the caller's nonce (16 to 64 bytes); without one, for that of this boot's receipt key, whose nonce is
 * `receiptKeyNonce`.
 */
export type AttestRequest = { nonce: Uint8Array | null }

/** JSON of `{ring_id, image, keys, manifest}` in the names of the API, and the document that commits to it. */
export type AttestAnswer = { state: string; document: Uint8Array }

/** Appends the body of an `attest` request. Throws `WireError` on a nonce of another length. */
export function writeAttestRequest(writer: WireWriter, { nonce }: AttestRequest): void {
  if (nonce !== null) assertNonce(nonce)
  writeBytes16(writer, nonce ?? new Uint8Array(0))
}

/** Reads the body of an `attest` request into copies of its own. */
export function readAttestRequest(reader: WireReader): AttestRequest {
  const nonce = Uint8Array.from(readBytes16(reader))
  expectEnd(reader)
  if (nonce.length === 0) return { nonce: null }
  assertNonce(nonce)
  return { nonce }
}

/** Appends the body of an `attest` answer. */
export function writeAttestAnswer(writer: WireWriter, { state, document }: AttestAnswer): void {
  writeJson(writer, state)
  writeBytes16(writer, document)
}

/** Reads the body of an `attest` answer into copies of its own. */
export function readAttestAnswer(reader: WireReader): AttestAnswer {
  const answer = { state: readJson(reader), document: Uint8Array.from(readBytes16(reader)) }
  expectEnd(reader)
  return answer
}

function assertNonce({ length }: Uint8Array): void {
  if (length < attestNonceBytes.min || length > attestNonceBytes.max)
    throw new WireError('nonce of another length')
}
