import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import { frameBytesMax } from './channel-frames.ts'

/** Who wrote a record: part of its authenticated data, so that no record can be sent back. */
export type ChannelDirection = 'client to enclave' | 'enclave to client'

/** A record that is forged, replayed, reordered or of the other direction. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
}

/** ChaCha20-Poly1305 (RFC 8439) under one key: by node:crypto in the client, by libsodium in the enclave. */
export type RecordCipher = {
  /** Writes ciphertext and tag into `out`, 16 bytes longer than `plaintext`. */
  seal(out: Uint8Array, plaintext: Uint8Array, nonce: Uint8Array, aad: Uint8Array): void
  /** The plaintext of ciphertext and tag; `undefined`, and nothing decrypted anywhere, when the tag is wrong. */
  open(sealed: Uint8Array, nonce: Uint8Array, aad: Uint8Array): Uint8Array | undefined
}

const tagBytes = 16
const counterMax = Number.MAX_SAFE_INTEGER
const associatedData = {
  'client to enclave': Buffer.from('symbolon enclave record v1: client to enclave'),
  'enclave to client': Buffer.from('symbolon enclave record v1: enclave to client'),
} as const

/** The 96-bit nonce of a record: its number, big-endian, never sent and never used twice under a key. */
function recordNonce() {
  const bytes = Buffer.alloc(12)
  let next = 0
  return () => {
    if (next >= counterMax) throw new RecordError('record counter exhausted')
    bytes.writeUInt32BE(Math.floor(next / 0x100000000), 4)
    bytes.writeUInt32BE(next >>> 0, 8)
    next += 1
    return bytes
  }
}

/** Longest plaintext of one record, in bytes. */
export const recordBytesMax: number = frameBytesMax - tagBytes

/** Seals plaintexts in order: each answer is a whole frame (length, ciphertext, tag). */
export function recordSealer(
  cipher: RecordCipher,
  direction: ChannelDirection,
): (plaintext: Uint8Array) => Uint8Array {
  const nonce = recordNonce()
  const aad = associatedData[direction]
  return (plaintext) => {
    if (plaintext.length === 0 || plaintext.length > recordBytesMax) throw new RecordError('record length')
    const sealed = Buffer.allocUnsafe(4 + plaintext.length + tagBytes)
    sealed.writeUInt32BE(plaintext.length + tagBytes, 0)
    cipher.seal(sealed.subarray(4), plaintext, nonce(), aad)
    return sealed
  }
}

/** Opens records in the order of their sealing; throws `RecordError` on any other bytes. */
export function recordOpener(
  cipher: RecordCipher,
  direction: ChannelDirection,
): (record: Uint8Array) => Uint8Array {
  const nonce = recordNonce()
  const aad = associatedData[direction]
  return (record) => {
    if (record.length <= tagBytes) throw new RecordError('record too short')
    const plaintext = cipher.open(record, nonce(), aad)
    if (plaintext === undefined) throw new RecordError('record does not authenticate')
    return plaintext
  }
}

const name = 'chacha20-poly1305'
const options = { authTagLength: tagBytes }

/** The cipher by node:crypto, for records whose content may stay in freed memory. */
export function nodeRecordCipher(key: KeyObject): RecordCipher {
  return {
    seal(out, plaintext, nonce, aad) {
      const cipher = createCipheriv(name, key, nonce, options)
      cipher.setAAD(aad, { plaintextLength: plaintext.length })
      out.set(cipher.update(plaintext))
      cipher.final()
      out.set(cipher.getAuthTag(), plaintext.length)
    },
    open(sealed, nonce, aad) {
      const length = sealed.length - tagBytes
      const decipher = createDecipheriv(name, key, nonce, options)
      decipher.setAAD(aad, { plaintextLength: length })
      decipher.setAuthTag(sealed.subarray(length))
      const plaintext = decipher.update(sealed.subarray(0, length))
      try {
        decipher.final()
      } catch {
        plaintext.fill(0)
        return undefined
      }
      return plaintext
    },
  }
}
