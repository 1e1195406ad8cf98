import { createHash } from 'node:crypto'
import {
  expectEnd,
  readBytes16,
  readFixed,
  readU8,
  WireError,
  type WireReader,
  wireReader,
  wireWriter,
  writeBytes16,
  writeFixed,
  writeU8,
  writtenBytes,
} from './wire.ts'
import {
  type EnclavePhase,
  enclavePhases,
  type RingState,
  readRingState,
  writeRingState,
} from './wire-enclave.ts'

/** Version of the enclave channel; both hellos carry it and only this one is accepted. */
const channelVersion = 3

const nonceBytes = 32
const thumbprintBytes = 32
const encapsulatedBytes = 32
const proofBytes = 16

/** Length of the client's hello, the first frame that the enclave reads from a stranger, in bytes. */
export const clientHelloBytes: number = 1 + nonceBytes
/** Length of the client's key frame, the second and last one that it reads from a stranger, in bytes. */
export const clientKeyBytes: number = thumbprintBytes + encapsulatedBytes + proofBytes

/** How many hellos one attestation document answers at most. */
export const helloNoncesMax = 64

/**
 * What the enclave says in clear before the channel exists; all of it is bound by the attestation document. `nonces` are those of all clients
 * that the document is for.
 */
export type EnclaveHello = EnclaveFacts & { nonces: readonly Uint8Array[]; document: Uint8Array }

/** The phase and the key ring of an enclave, as its attestation document binds them. */
export type EnclaveFacts = RingState & { phase: EnclavePhase }

/**
 * The third frame: which API key the client has (the RFC 7638 thumbprint, 32 bytes), the encapsulated key of HPKE (32 bytes), and the proof that it
 * has that key over this transcript: the tag of an empty message (16 bytes).
 */
export type ClientKey = { thumbprint: Uint8Array; encapsulated: Uint8Array; proof: Uint8Array }

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const bindingPrefix = utf8('symbolon enclave hello v3')
const noncePrefix = utf8('symbolon enclave nonces v3')

const fixed = (reader: WireReader, length: number): Uint8Array => Uint8Array.from(readFixed(reader, length))

/** The first frame of a connection: version and a fresh 32-byte nonce. */
export function encodeClientHello(nonce: Uint8Array): Uint8Array {
  const writer = wireWriter(clientHelloBytes)
  writeU8(writer, channelVersion)
  writeFixed(writer, nonce)
  return writtenBytes(writer)
}

/** Reads the client's hello; throws `WireError` on another version or length. */
export function decodeClientHello(bytes: Uint8Array): { nonce: Uint8Array } {
  const reader = wireReader(bytes)
  if (readU8(reader) !== channelVersion) throw new WireError('unknown channel version')
  const nonce = fixed(reader, nonceBytes)
  expectEnd(reader)
  return { nonce }
}

/** The enclave's answer to a client hello. */
export function encodeEnclaveHello(hello: EnclaveHello): Uint8Array {
  const writer = wireWriter(128 + hello.nonces.length * nonceBytes + hello.document.length)
  writeU8(writer, channelVersion)
  writeU8(writer, enclavePhases.indexOf(hello.phase))
  writeRingState(writer, hello)
  writeU8(writer, hello.nonces.length)
  for (const nonce of hello.nonces) writeFixed(writer, nonce)
  writeBytes16(writer, hello.document)
  return writtenBytes(writer)
}

/** Reads the enclave's hello; throws `WireError` on another version, phase or length, and on no nonce or too many. */
export function decodeEnclaveHello(bytes: Uint8Array): EnclaveHello {
  const reader = wireReader(bytes)
  if (readU8(reader) !== channelVersion) throw new WireError('unknown channel version')
  const phase = enclavePhases[readU8(reader)]
  if (phase === undefined) throw new WireError('unknown phase')
  const ring = readRingState(reader)
  const count = readU8(reader)
  if (count === 0 || count > helloNoncesMax) throw new WireError('number of nonces out of range')
  const nonces = Array.from({ length: count }, () => fixed(reader, nonceBytes))
  const document = Uint8Array.from(readBytes16(reader))
  expectEnd(reader)
  return { phase, ...ring, nonces, document }
}

/** The `nonce` of the attestation document: SHA-256 over the nonces of the hellos that it answers, in their order. */
export function helloNonce(nonces: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256').update(noncePrefix)
  for (const nonce of nonces) hash.update(nonce)
  return hash.digest()
}

/** The `user_data` of the attestation document: SHA-256 over version, phase and ring of the hello. */
export function helloBinding(facts: EnclaveFacts): Uint8Array {
  const writer = wireWriter(128)
  writeFixed(writer, bindingPrefix)
  writeU8(writer, channelVersion)
  writeU8(writer, enclavePhases.indexOf(facts.phase))
  writeRingState(writer, facts)
  return createHash('sha256').update(writtenBytes(writer)).digest()
}

/** SHA-256 over both hellos, which the HPKE info carries: a changed hello makes other keys. */
export function helloTranscript(clientHello: Uint8Array, enclaveHello: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(clientHello.length)
  return createHash('sha256').update(length).update(clientHello).update(enclaveHello).digest()
}

/** The third frame as it goes on the wire. */
export const encodeClientKey = ({ thumbprint, encapsulated, proof }: ClientKey): Uint8Array =>
  Buffer.concat([thumbprint, encapsulated, proof])

/** Reads the third frame; throws `WireError` on another length. */
export function decodeClientKey(bytes: Uint8Array): ClientKey {
  const reader = wireReader(bytes)
  const thumbprint = fixed(reader, thumbprintBytes)
  const encapsulated = fixed(reader, encapsulatedBytes)
  const proof = fixed(reader, proofBytes)
  expectEnd(reader)
  return { thumbprint, encapsulated, proof }
}
