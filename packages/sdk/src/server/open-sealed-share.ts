import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { fromBase64 } from '../bytes.ts'
import { type RecoveryShareFields, type SealedShare, sealingContext } from './share-fields.ts'

/** A private P-256 key as JWK (RFC 7517), the counterpart of the webhook's `encryption_key`. */
export type DecryptionKey = {
  readonly kty?: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly d?: string
}

/** Opens a sealed share, or answers `undefined` where none of the keys opens it for these fields. */
export type OpenShare = (
  sealed: SealedShare,
  fields: RecoveryShareFields,
) => Promise<Uint8Array<ArrayBuffer> | undefined>

const infoText = 'recovery-share/v1'

/** Opens with one of several keys: while a key is replaced, shares sealed to the old one are still there. */
export function shareOpener(keys: readonly DecryptionKey[]): OpenShare {
  // RFC 9180: base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. Made here, so that who verifies webhooks alone loads none of it.
  const suite = new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  })
  const info = exact(new TextEncoder().encode(infoText))
  const imported = Promise.all(
    keys.map(async ({ kty = '', crv = '', x = '', y = '', d = '' }) => ({
      privateKey: await suite.kem.importKey('jwk', { kty, crv, x, y, d }, false),
      publicKey: await suite.kem.importKey('jwk', { kty, crv, x, y }, true),
    })),
  ).catch(() => {
    throw new TypeError('decryptionKey must be a private P-256 JWK')
  })
  // Only the caller needs to know.
  imported.catch(() => {})
  return async ({ enc, ciphertext }, fields) => {
    const context = exact(sealingContext(fields))
    for (const recipientKey of await imported) {
      const opening = { recipientKey, info, enc: exact(fromBase64(enc)) }
      try {
        return new Uint8Array(await suite.open(opening, exact(fromBase64(ciphertext)), context))
      } catch {
        // Sealed to another of the keys, or not to these fields.
      }
    }
    return undefined
  }
}

/** An encoder may hand out a part of a larger buffer. */
function exact(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return bytes.slice().buffer
}
