import { createCipheriv, createDecipheriv, createECDH, createHmac, type ECDH } from 'node:crypto'

const empty = Buffer.alloc(0)
const bytes16 = (value: number) => Buffer.from([value >> 8, value & 255])
// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
const kemSuite = Buffer.concat([Buffer.from('KEM'), bytes16(0x10)])
const suite = Buffer.concat([Buffer.from('HPKE'), bytes16(0x10), bytes16(1), bytes16(2)])

function labeledExtract(suiteId: Buffer, salt: Buffer, label: string, ikm: Uint8Array): Buffer {
  const labeled = Buffer.concat([Buffer.from('HPKE-v1'), suiteId, Buffer.from(label), ikm])
  return createHmac('sha256', salt.length === 0 ? Buffer.alloc(32) : salt)
    .update(labeled)
    .digest()
}

function labeledExpand(suiteId: Buffer, prk: Buffer, label: string, info: Buffer, length: number): Buffer {
  const labeled = Buffer.concat([bytes16(length), Buffer.from('HPKE-v1'), suiteId, Buffer.from(label), info])
  const blocks: Buffer[] = []
  let block: Buffer = empty
  for (let i = 1; Buffer.concat(blocks).length < length; i++) {
    block = createHmac('sha256', prk)
      .update(Buffer.concat([block, labeled, Buffer.from([i])]))
      .digest()
    blocks.push(block)
  }
  return Buffer.concat(blocks).subarray(0, length)
}

type Sealed = { enc: Uint8Array; ciphertext: Uint8Array }
type Context = { info: Uint8Array; aad: Uint8Array }

/** Every secret between the bare agreement and the AEAD, by name, and the nonce. */
export type HpkeSecrets = Record<'dh' | 'shared' | 'secret' | 'key' | 'nonce', Buffer>

/** The key schedule of RFC 9180 sections 4.1 and 5.1; `publicKey` is the recipient's. */
export function hpkeSecrets(
  dh: Buffer,
  enc: Uint8Array,
  publicKey: Uint8Array,
  info: Uint8Array,
): HpkeSecrets {
  const kemContext = Buffer.concat([enc, publicKey])
  const prk = labeledExtract(kemSuite, empty, 'eae_prk', dh)
  const shared = labeledExpand(kemSuite, prk, 'shared_secret', kemContext, 32)
  const context = Buffer.concat([
    Buffer.from([0]),
    labeledExtract(suite, empty, 'psk_id_hash', empty),
    labeledExtract(suite, empty, 'info_hash', info),
  ])
  const secret = labeledExtract(suite, shared, 'secret', empty)
  const key = labeledExpand(suite, secret, 'key', context, 32)
  const nonce = labeledExpand(suite, secret, 'base_nonce', context, 12)
  return { dh, shared, secret, key, nonce }
}

/** Opens HPKE base mode on P-256 as RFC 9180 writes it, with node:crypto alone. Throws when it does not open. */
export function openHpke(recipient: ECDH, { enc, ciphertext }: Sealed, { info, aad }: Context): Buffer {
  const { key, nonce } = hpkeSecrets(recipient.computeSecret(enc), enc, recipient.getPublicKey(), info)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAAD(aad).setAuthTag(ciphertext.subarray(-16))
  return Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()])
}

/** Seals to a P-256 key of 65 bytes, and returns the secrets behind it. */
export function sealHpke(
  publicKey: Uint8Array,
  plaintext: Uint8Array,
  { info, aad }: Context,
): Sealed & { secrets: HpkeSecrets } {
  const sender = createECDH('prime256v1')
  const enc = sender.generateKeys()
  const secrets = hpkeSecrets(sender.computeSecret(publicKey), enc, publicKey, info)
  const cipher = createCipheriv('aes-256-gcm', secrets.key, secrets.nonce).setAAD(aad)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  return { enc, ciphertext, secrets }
}
