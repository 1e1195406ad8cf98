import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { base64UrlBytes } from '../base64.ts'
import { jwkThumbprint } from '../jwk.ts'
import { type ClientKey, encodeClientKey } from './channel-handshake.ts'
import { WireError } from './wire.ts'

/** The two directional 32-byte ChaCha20-Poly1305 keys of one connection; whoever receives them wipes them. */
export type ChannelKeys = { clientToEnclave: Uint8Array; enclaveToClient: Uint8Array }

/** The API's static private key towards the enclave, a JWK of RFC 8037. */
export type ApiKey = {
  readonly kty: 'OKP'
  readonly crv: 'X25519'
  readonly x: string
  readonly d: string
}

/** The enclave's half of the key agreement: one X25519 key per boot, never exported. */
export type ChannelOffer = {
  publicKey: Uint8Array
  /**
   * The keys that the holder of the private half of `sender` (X25519, 32 bytes) agreed on over this transcript. Rejects with `WireError` where the
   * frame proves no such holder.
   */
  accept(
    frame: Omit<ClientKey, 'thumbprint'>,
    transcript: Uint8Array,
    sender: Uint8Array,
  ): Promise<ChannelKeys>
}

// RFC 9180: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const infoPrefix = utf8('symbolon enclave channel v3')
const exportLabels = {
  clientToEnclave: utf8('key: client to enclave'),
  enclaveToClient: utf8('key: enclave to client'),
}
const nothing = new ArrayBuffer(0)

/** A plain ArrayBuffer of exactly these bytes, as WebCrypto's types demand. */
function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  return buffer
}

const publicKeyOf = (bytes: Uint8Array) => suite.kem.deserializePublicKey(exactBuffer(bytes))

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
    async accept({ encapsulated, proof }, transcript, sender) {
      const context = await suite.createRecipientContext({
        recipientKey: pair.privateKey,
        enc: exactBuffer(encapsulated),
        info: channelInfo(transcript),
        senderPublicKey: await publicKeyOf(sender),
      })
      await context.open(exactBuffer(proof)).catch(() => {
        throw new WireError('the client does not have the key that it names')
      })
      return exportKeys(context)
    },
  }
}

/** The client's half, by its own key: agrees on keys with the attested public key. `frame` goes to the enclave. */
export async function joinChannel(
  publicKey: Uint8Array,
  transcript: Uint8Array,
  own: ApiKey,
): Promise<{ frame: Uint8Array; keys: ChannelKeys }> {
  const { kty, crv, x } = own
  const [privateKey, ownPublic, recipientPublicKey] = await Promise.all([
    suite.kem.importKey('jwk', own, false),
    suite.kem.importKey('jwk', { kty, crv, x }, true),
    publicKeyOf(publicKey),
  ])
  const context = await suite.createSenderContext({
    recipientPublicKey,
    info: channelInfo(transcript),
    senderKey: { privateKey, publicKey: ownPublic },
  })
  const thumbprint = base64UrlBytes(jwkThumbprint(own)) ?? new Uint8Array(0)
  const proof = new Uint8Array(await context.seal(nothing))
  const frame = encodeClientKey({ thumbprint, encapsulated: new Uint8Array(context.enc), proof })
  return { frame, keys: await exportKeys(context) }
}
