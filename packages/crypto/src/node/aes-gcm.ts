import type { KeyObject } from 'node:crypto'
import { aeadOpen, aeadOverhead, aeadSeal } from './aead.ts'

/** Bytes that sealing adds: 96-bit iv before the ciphertext, 128-bit tag after it. */
export const gcmOverhead = aeadOverhead

/** `aeadSeal` with AES-256-GCM. */
export const gcmSeal = (key: Uint8Array | KeyObject, plaintext: Uint8Array, aad: Uint8Array): Uint8Array =>
  aeadSeal('aes-256-gcm', key, plaintext, aad)

/** `aeadOpen` with AES-256-GCM. */
export const gcmOpen = (
  key: Uint8Array | KeyObject,
  sealed: Uint8Array,
  aad: Uint8Array,
  out: Uint8Array,
): Uint8Array => aeadOpen('aes-256-gcm', key, sealed, aad, out)
