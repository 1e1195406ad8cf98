import { encode } from 'cborg'
import { AttestationError } from './attestation-error.ts'
import { strictCbor } from './strict-cbor.ts'

/** A COSE_Sign1 message (RFC 9052 section 4.2) with ES384, taken apart; nothing is verified yet. */
export type CoseSign1 = {
  payload: Uint8Array
  /** ECDSA r‖s, 96 bytes. */
  signature: Uint8Array
  /** The exact bytes that `signature` signs (`Sig_structure`). */
  signed: Uint8Array
}

const bytesMax = 20_480
const payloadBytesMax = 16_384
const signatureBytes = 96
const tagCoseSign1 = 0xd2
const algorithmLabel = 1
const es384 = -35

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

/** Reads a COSE_Sign1 message, tagged (18) or bare. Throws `AttestationError`. */
export function parseCose(bytes: Uint8Array): CoseSign1 {
  if (bytes.length > bytesMax) throw new AttestationError('too_large')
  const message = strictCbor(bytes[0] === tagCoseSign1 ? bytes.subarray(1) : bytes, 'COSE_Sign1')
  if (!Array.isArray(message) || message.length !== 4) throw new AttestationError('cose_shape')
  const [protectedHeader, unprotected, payload, signature]: unknown[] = message
  if (!isBytes(protectedHeader) || !isBytes(payload) || !isBytes(signature)) {
    throw new AttestationError('cose_shape')
  }
  const header = strictCbor(protectedHeader, 'protected header')
  if (!(header instanceof Map) || header.size !== 1 || header.get(algorithmLabel) !== es384) {
    throw new AttestationError('cose_algorithm', 'ES384 is required')
  }
  if (!(unprotected instanceof Map) || unprotected.size !== 0) throw new AttestationError('cose_headers')
  if (payload.length === 0 || payload.length > payloadBytesMax)
    throw new AttestationError('cose_shape', 'payload')
  if (signature.length !== signatureBytes) throw new AttestationError('cose_shape', 'signature')
  const signed = encode(['Signature1', protectedHeader, new Uint8Array(0), payload])
  return { payload, signature, signed }
}
