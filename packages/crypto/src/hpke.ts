import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { wipe } from './wipe.ts'

/** What HPKE makes of a plaintext: the encapsulated key (65 bytes, uncompressed P-256) and the ciphertext with its tag. */
export type HpkeSealed = { enc: Uint8Array; ciphertext: Uint8Array }

/** The context that both sides must agree on, byte for byte, or nothing opens. */
export type HpkeContext = { info: Uint8Array; aad: Uint8Array }

/** Thrown for keys that are no P-256 points, and for what does not open. */
export class HpkeError extends Error {
  override readonly name = 'HpkeError'
}

// RFC 9180: base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

/** Seals to the holder of a P-256 key (65 bytes, uncompressed), each time under a fresh key. Throws `HpkeError`. */
export async function sealToP256(
  publicKey: Uint8Array,
  plaintext: Uint8Array,
  { info, aad }: HpkeContext,
): Promise<HpkeSealed> {
  const copy = exactBuffer(plaintext)
  try {
    const recipientPublicKey = await suite.kem.deserializePublicKey(exactBuffer(publicKey))
    const sealing = { recipientPublicKey, info: exactBuffer(info) }
    const { enc, ct } = await suite.seal(sealing, copy, exactBuffer(aad))
    return { enc: new Uint8Array(enc), ciphertext: new Uint8Array(ct) }
  } catch (cause) {
    throw new HpkeError('This is no P-256 public key.', { cause })
  } finally {
    wipe(new Uint8Array(copy))
  }
}

/** The holder of a fresh P-256 key pair, whose private half no script can read; for one message. */
export type HpkeRecipient = {
  /** 65 bytes, uncompressed. */
  readonly publicKey: Uint8Array
  /** What was sealed to it. Throws `HpkeError` when it does not open: another key, another context, changed bytes. */
  open(sealed: HpkeSealed, context: HpkeContext): Promise<Uint8Array>
}

/** Makes a key pair to which a secret can be sealed. */
export async function newP256Recipient(): Promise<HpkeRecipient> {
  const algorithm = { name: 'ECDH', namedCurve: 'P-256' } as const
  const recipientKey = await crypto.subtle.generateKey(algorithm, false, ['deriveBits'])
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', recipientKey.publicKey))
  return {
    publicKey,
    async open({ enc, ciphertext }, { info, aad }) {
      try {
        const opening = { recipientKey, enc: exactBuffer(enc), info: exactBuffer(info) }
        return new Uint8Array(await suite.open(opening, exactBuffer(ciphertext), exactBuffer(aad)))
      } catch (cause) {
        throw new HpkeError('The ciphertext does not open.', { cause })
      }
    },
  }
}

/** A plain ArrayBuffer of exactly these bytes, as WebCrypto's types demand. */
function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  return buffer
}
