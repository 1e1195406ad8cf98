import { equalBytes } from '../equal-bytes.ts'
import { AttestationError } from './attestation-error.ts'
import { readCbor } from './cbor.ts'

/** A COSE_Sign1 message (RFC 9052 section 4.2) with ES384, taken apart; nothing is verified yet. */
export type CoseSign1 = {
  readonly payload: Uint8Array
  /** ECDSA r‖s, 96 bytes. */
  readonly signature: Uint8Array
  /** The exact bytes that `signature` signs (`Sig_structure`). */
  readonly signed: Uint8Array
}

const bytesMax = 20_480
const payloadBytesMax = 16_384
const signatureBytes = 96
const tagCoseSign1 = 0xd2
/** The map {1: -35}: algorithm ES384 (RFC 9053 section 2.1), and no other header. */
const es384Header = Uint8Array.of(0xa1, 0x01, 0x38, 0x22)
/** An array of four that begins with the text "Signature1". */
const signedStart = Uint8Array.of(0x84, 0x6a, 0x53, 0x69, 0x67, 0x6e, 0x61, 0x74, 0x75, 0x72, 0x65, 0x31)
/** Bytes of length 0: nothing is signed beside the message. */
const noExternalData = Uint8Array.of(0x40)

/** Reads a COSE_Sign1 message, tagged (18) or bare. Throws `AttestationError`. */
export function parseCose(bytes: Uint8Array): CoseSign1 {
  if (bytes.length > bytesMax) throw new AttestationError('too_large')
  const message = readCbor(bytes[0] === tagCoseSign1 ? bytes.subarray(1) : bytes, 'COSE_Sign1')
  if (!Array.isArray(message) || message.length !== 4) throw new AttestationError('cose_shape')
  const [header, unprotected, payload, signature]: readonly unknown[] = message
  if (!(header instanceof Uint8Array) || !(payload instanceof Uint8Array))
    throw new AttestationError('cose_shape')
  if (!equalBytes(header, es384Header)) throw new AttestationError('cose_algorithm', 'ES384 is required')
  if (!(unprotected instanceof Map) || unprotected.size !== 0) throw new AttestationError('cose_headers')
  if (payload.length === 0 || payload.length > payloadBytesMax)
    throw new AttestationError('cose_shape', 'payload')
  if (!(signature instanceof Uint8Array) || signature.length !== signatureBytes)
    throw new AttestationError('cose_shape', 'signature')
  const signed = joined([signedStart, byteString(header), noExternalData, byteString(payload)])
  return { payload, signature, signed }
}

/** Bytes as CBOR has them, at most 65,535. */
function byteString(bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  if (length < 24) return joined([Uint8Array.of(0x40 | length), bytes])
  if (length < 0x100) return joined([Uint8Array.of(0x58, length), bytes])
  return joined([Uint8Array.of(0x59, length >> 8, length & 0xff), bytes])
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
