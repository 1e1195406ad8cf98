import { createHash } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import {
  expectEnd,
  readBytes16,
  readFixed,
  readU8,
  WireError,
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
export const channelVersion = 2

/** Length of the client's nonce and of the X25519 public key and encapsulated key, in bytes. */
export const channelNonceBytes = 32
const encapsulatedBytes = 32

/** What the enclave says in clear before the channel exists; all of it is bound by the attestation document. */
export type EnclaveHello = EnclaveFacts & { document: Uint8Array }

/** The phase and the key ring of an enclave, as its attestation document binds them. */
export type EnclaveFacts = RingState & { phase: EnclavePhase }

/** The two directional 32-byte ChaCha20-Poly1305 keys of one connection; whoever receives them wipes them. */
export type ChannelKeys = { clientToEnclave: Uint8Array; enclaveToClient: Uint8Array }

/** The enclave's half of the key agreement: one X25519 key per boot, never exported. */
export type ChannelOffer = {
  publicKey: Uint8Array
  accept(encapsulated: Uint8Array, transcript: Uint8Array): Promise<ChannelKeys>
}

// RFC 9180: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const infoPrefix = utf8('symbolon enclave channel v1')
const bindingPrefix = utf8('symbolon enclave hello v2')
const exportLabels = {
  clientToEnclave: utf8('key: client to enclave'),
  enclaveToClient: utf8('key: enclave to client'),
}

/** A plain ArrayBuffer of exactly these bytes, as WebCrypto's types demand. */
function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  return buffer
}

/** The first frame of a connection: version and a fresh 32-byte nonce. */
export function encodeClientHello(nonce: Uint8Array): Uint8Array {
  const writer = wireWriter(1 + channelNonceBytes)
  writeU8(writer, channelVersion)
  writeFixed(writer, nonce)
  return writtenBytes(writer)
}

/** Reads the client's hello; throws `WireError` on another version or length. */
export function decodeClientHello(bytes: Uint8Array): { nonce: Uint8Array } {
  const reader = wireReader(bytes)
  if (readU8(reader) !== channelVersion) throw new WireError('unknown channel version')
  const nonce = Uint8Array.from(readFixed(reader, channelNonceBytes))
  expectEnd(reader)
  return { nonce }
}

/** The enclave's answer to a client hello. */
export function encodeEnclaveHello(hello: EnclaveHello): Uint8Array {
  const writer = wireWriter(128 + hello.document.length)
  writeU8(writer, channelVersion)
  writeU8(writer, enclavePhases.indexOf(hello.phase))
  writeRingState(writer, hello)
  writeBytes16(writer, hello.document)
  return writtenBytes(writer)
}

/** Reads the enclave's hello; throws `WireError` on another version, phase or length. */
export function decodeEnclaveHello(bytes: Uint8Array): EnclaveHello {
  const reader = wireReader(bytes)
  if (readU8(reader) !== channelVersion) throw new WireError('unknown channel version')
  const phase = enclavePhases[readU8(reader)]
  if (phase === undefined) throw new WireError('unknown phase')
  const ring = readRingState(reader)
  const document = Uint8Array.from(readBytes16(reader))
  expectEnd(reader)
  return { phase, ...ring, document }
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

async function exportKeys(context: {
  export(label: ArrayBuffer, length: number): Promise<ArrayBuffer>
}): Promise<ChannelKeys> {
  const key = async (label: Uint8Array) => new Uint8Array(await context.export(exactBuffer(label), 32))
  return {
    clientToEnclave: await key(exportLabels.clientToEnclave),
    enclaveToClient: await key(exportLabels.enclaveToClient),
  }
}

const channelInfo = (transcript: Uint8Array): ArrayBuffer =>
  exactBuffer(Buffer.concat([infoPrefix, transcript]))

/** Makes the enclave's channel key of this boot. */
export async function offerChannel(): Promise<ChannelOffer> {
  const pair = await suite.kem.generateKeyPair()
  const publicKey = new Uint8Array(await suite.kem.serializePublicKey(pair.publicKey))
  return {
    publicKey,
    async accept(encapsulated, transcript) {
      if (encapsulated.length !== encapsulatedBytes) throw new WireError('encapsulated key is not 32 bytes')
      const context = await suite.createRecipientContext({
        recipientKey: pair.privateKey,
        enc: exactBuffer(encapsulated),
        info: channelInfo(transcript),
      })
      return exportKeys(context)
    },
  }
}

/** The client's half: agrees on keys with the attested public key; `encapsulated` goes to the enclave. */
export async function joinChannel(
  publicKey: Uint8Array,
  transcript: Uint8Array,
): Promise<{ encapsulated: Uint8Array; keys: ChannelKeys }> {
  const context = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.deserializePublicKey(exactBuffer(publicKey)),
    info: channelInfo(transcript),
  })
  return { encapsulated: new Uint8Array(context.enc), keys: await exportKeys(context) }
}
