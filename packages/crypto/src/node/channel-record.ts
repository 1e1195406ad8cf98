import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import { frameBytesMax } from './channel-frames.ts'
import { decryptUnseen } from './unseen-gcm.ts'

/** Who wrote a record: part of its authenticated data, so that no record can be sent back. */
export type ChannelDirection = 'client to enclave' | 'enclave to client'

/** A record that is forged, replayed, reordered or of the other direction. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
}

const options = { authTagLength: 16 }
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

/** Seals plaintexts in order: each answer is a whole frame (length, ciphertext, tag), AES-256-GCM. */
export function recordSealer(
  key: KeyObject,
  direction: ChannelDirection,
): (plaintext: Uint8Array) => Uint8Array {
  const nonce = recordNonce()
  const aad = associatedData[direction]
  return (plaintext) => {
    if (plaintext.length === 0 || plaintext.length > recordBytesMax) throw new RecordError('record length')
    const cipher = createCipheriv('aes-256-gcm', key, nonce(), options)
    cipher.setAAD(aad)
    const ciphertext = cipher.update(plaintext)
    cipher.final()
    const sealed = Buffer.allocUnsafe(4 + plaintext.length + tagBytes)
    sealed.writeUInt32BE(plaintext.length + tagBytes, 0)
    sealed.set(ciphertext, 4)
    sealed.set(cipher.getAuthTag(), 4 + plaintext.length)
    return sealed
  }
}

/** Opens records in the order of their sealing into fresh bytes; throws `RecordError` on any other bytes. */
export function recordOpener(
  key: KeyObject,
  direction: ChannelDirection,
): (record: Uint8Array) => Uint8Array {
  const nonce = recordNonce()
  const aad = associatedData[direction]
  return (record) => {
    const length = plaintextLength(record)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce(), options)
    decipher.setAAD(aad)
    decipher.setAuthTag(record.subarray(length))
    const plaintext = decipher.update(record.subarray(0, length))
    try {
      decipher.final()
    } catch {
      plaintext.fill(0)
      throw new RecordError('record does not authenticate')
    }
    return plaintext
  }
}

/** As `recordOpener`, for records with secrets: once the caller zeroes the answer, no copy of it is left anywhere. */
export function secretRecordOpener(
  key: KeyObject,
  direction: ChannelDirection,
): (record: Uint8Array) => Uint8Array {
  const nonce = recordNonce()
  const aad = associatedData[direction]
  return (record) => {
    const length = plaintextLength(record)
    const plaintext = Buffer.allocUnsafeSlow(length)
    const ciphertext = record.subarray(0, length)
    if (!decryptUnseen(key, nonce(), ciphertext, record.subarray(length), aad, plaintext)) {
      throw new RecordError('record does not authenticate')
    }
    return plaintext
  }
}

function plaintextLength(record: Uint8Array): number {
  if (record.length <= tagBytes) throw new RecordError('record too short')
  return record.length - tagBytes
}
