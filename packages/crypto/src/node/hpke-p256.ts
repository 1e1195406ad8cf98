import { createECDH, type ECDH } from 'node:crypto'
import { HpkeError } from '../hpke.ts'
import { authKeySchedule, type HpkeExporter, type HpkeKeys, keySchedule } from './hpke-schedule.ts'
import { decryptUnseen, encryptUnseen } from './unseen-aead.ts'

/** Length of an uncompressed point of P-256, which is an encapsulated key as well, in bytes. */
export const p256PointBytes = 65

/** What HPKE makes of a plaintext, and what both sides must agree on. */
type Sealed = { enc: Uint8Array; ciphertext: Uint8Array }
type Context = { info: Uint8Array; aad: Uint8Array }

/** The holder of a P-256 key that others seal to. */
export type HpkeRecipient = {
  /** Uncompressed, 65 bytes. */
  readonly publicKey: Uint8Array
  /** Opens into `out`, as long as the plaintext; `false`, and zeros in `out`, for anything not sealed to this key and context. */
  open(sealed: Sealed, context: Context, out: Uint8Array): boolean
  /** The context of auth mode that the holder of `sender` (65 bytes) made `enc` for; undefined where either is not a point. */
  authContext(enc: Uint8Array, sender: Uint8Array, info: Uint8Array): AuthContext | undefined
}

/** The only message of a context of auth mode, and what it exports. Who has it zeroes `key` and `exporter`. */
export type AuthContext = HpkeKeys & HpkeExporter

const curve = 'prime256v1'
const tagBytes = 16
const aead = 'aes-256-gcm'

/**
 * HPKE (RFC 9180, base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM) for plaintexts in locked memory: neither they
 * nor the keys that they are under have a copy afterwards. Any other HPKE opens what it seals.
 */
export function hpkeRecipient(): HpkeRecipient {
  const own = createECDH(curve)
  own.generateKeys()
  return recipientOf(own)
}

/** The holder of this key. */
export function recipientOf(own: ECDH): HpkeRecipient {
  const publicKey = own.getPublicKey()
  return {
    authContext(enc, sender, info) {
      const dh = agreeTwice([own, enc], [own, sender])
      return dh && authKeySchedule(dh, { enc, recipient: publicKey, sender }, info)
    },
    publicKey,
    open({ enc, ciphertext }, { info, aad }, out) {
      const length = ciphertext.length - tagBytes
      out.fill(0)
      const secret = agree(own, enc)
      if (secret === undefined || length !== out.length) {
        secret?.fill(0)
        return false
      }
      const { key, nonce } = keySchedule(secret, enc, publicKey, info)
      try {
        const [body, tag] = [ciphertext.subarray(0, length), ciphertext.subarray(length)]
        return decryptUnseen(aead, key, nonce, body, tag, aad, out)
      } finally {
        key.fill(0)
      }
    },
  }
}

// Its private key is replaced after each use: OpenSSL writes the next one over it.
const sender = createECDH(curve)

/** Seals to the holder of `recipient` (65 bytes, uncompressed), each time under a fresh key. Throws `HpkeError` unless it is a point of the curve. */
export function hpkeSeal(recipient: Uint8Array, plaintext: Uint8Array, { info, aad }: Context): Sealed {
  const enc = sender.generateKeys()
  try {
    const secret = agree(sender, recipient)
    if (secret === undefined) throw new HpkeError('This is not a P-256 public key.')
    const { key, nonce } = keySchedule(secret, enc, recipient, info)
    try {
      return { enc, ciphertext: encryptUnseen(aead, key, nonce, plaintext, aad) }
    } finally {
      key.fill(0)
    }
  } finally {
    sender.generateKeys()
  }
}

/**
 * The sender's side of auth mode (RFC 9180 section 5.1.3): a context to the holder of `recipient` (65 bytes) that only the holder of `own` can have
 * made, under a fresh key. Throws `HpkeError` unless it is a point of the curve.
 */
export function hpkeAuthSender(
  own: ECDH,
  recipient: Uint8Array,
  info: Uint8Array,
): { enc: Uint8Array; context: AuthContext } {
  const enc = sender.generateKeys()
  try {
    const dh = agreeTwice([sender, recipient], [own, recipient])
    if (dh === undefined) throw new HpkeError('This is not a P-256 public key.')
    return { enc, context: authKeySchedule(dh, { enc, recipient, sender: own.getPublicKey() }, info) }
  } finally {
    sender.generateKeys()
  }
}

/** Whether these are the 65 bytes of an uncompressed point of P-256. */
export function isP256Point(bytes: Uint8Array): boolean {
  const secret = agree(sender, bytes)
  secret?.fill(0)
  return secret !== undefined
}

sender.generateKeys()

/** The shared secret; `undefined` where the other's key is not an uncompressed point. */
function agree(own: ECDH, other: Uint8Array): Buffer | undefined {
  if (other.length !== p256PointBytes || other[0] !== 4) return undefined
  try {
    return own.computeSecret(other)
  } catch {
    return undefined
  }
}

/** Both agreements of auth mode, one behind the other (RFC 9180 section 4.1, "AuthEncap" and "AuthDecap"). */
function agreeTwice(...pairs: [own: ECDH, other: Uint8Array][]): Buffer | undefined {
  const secrets = pairs.map(([own, other]) => agree(own, other))
  const known = secrets.filter((secret) => secret !== undefined)
  const both = known.length === pairs.length ? Buffer.concat(known) : undefined
  for (const secret of known) secret.fill(0)
  return both
}
