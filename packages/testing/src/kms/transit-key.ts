import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** A named key of the transit engine, as its interface shows it. */
export type TransitKey = {
  type: 'aes256-gcm96' | 'chacha20-poly1305'
  derived: boolean
  convergent: boolean
  minDecryptionVersion: number
  versions: Buffer[]
}

/** A refusal that the engine words itself: HTTP 400. */
export class TransitRefusal extends Error {}

/** Makes a key of one version. */
export const transitKey = (options: Partial<TransitKey> = {}): TransitKey => ({
  type: 'aes256-gcm96',
  derived: true,
  convergent: false,
  minDecryptionVersion: 1,
  versions: [randomBytes(32)],
  ...options,
})

const ciphers = { 'aes256-gcm96': 'aes-256-gcm', 'chacha20-poly1305': 'chacha20-poly1305' } as const
const ivLength = 12
const tagLength = 16
const prefix = 'vault:v'

/** As the engine does: a key that is not derived ignores the context. */
function keyOf({ derived, versions }: TransitKey, version: number, context: Buffer): Buffer {
  const key = versions[version - 1]
  if (key === undefined) throw new TransitRefusal('invalid ciphertext: version is too new')
  if (!derived) return key
  if (context.length === 0)
    throw new TransitRefusal(
      "missing 'context' for key derivation; the key was created using a derived key, which means additional, per-request information must be included in order to perform operations with the key",
    )
  return Buffer.from(hkdfSync('sha256', key, '', context, 32))
}

/** Encrypts under the newest version: `vault:v<version>:<base64 of iv, ciphertext and tag>`. */
export function transitEncrypt(key: TransitKey, plaintext: Uint8Array, context: Buffer): string {
  const version = key.versions.length
  const iv = randomBytes(ivLength)
  // Node declares one overload per kind of cipher.
  const cipher = createCipheriv(ciphers[key.type] as 'aes-256-gcm', keyOf(key, version, context), iv, {
    authTagLength: tagLength,
  })
  const sealed = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  return `${prefix}${version}:${sealed.toString('base64')}`
}

/** Decrypts what `transitEncrypt` made for this context. Throws `TransitRefusal` with the engine's sentence. */
export function transitDecrypt(key: TransitKey, ciphertext: string, context: Buffer): Buffer {
  if (!ciphertext.startsWith(prefix)) throw new TransitRefusal('invalid ciphertext: no prefix')
  const [number = '', base64] = ciphertext.slice(prefix.length).split(':')
  if (base64 === undefined) throw new TransitRefusal('invalid ciphertext: wrong number of fields')
  const version = Number(number)
  if (!Number.isInteger(version))
    throw new TransitRefusal('invalid ciphertext: version number could not be decoded')
  if (version < key.minDecryptionVersion)
    throw new TransitRefusal('ciphertext or signature version is disallowed by policy (too old)')
  const derived = keyOf(key, version, context)
  const sealed = Buffer.from(base64, 'base64')
  if (sealed.length < ivLength + tagLength) throw new TransitRefusal('invalid ciphertext: too short')
  try {
    const decipher = createDecipheriv(
      ciphers[key.type] as 'aes-256-gcm',
      derived,
      sealed.subarray(0, ivLength),
      { authTagLength: tagLength },
    ).setAuthTag(sealed.subarray(-tagLength))
    return Buffer.concat([decipher.update(sealed.subarray(ivLength, -tagLength)), decipher.final()])
  } catch {
    throw new TransitRefusal('cipher: message authentication failed')
  }
}
