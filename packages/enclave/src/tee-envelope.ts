import {
  aadContextStart,
  EnvelopeError,
  type EnvelopeLayout,
  envelopeAad,
  envelopeLayout,
  joinEnvelope,
  rowContext,
  type WrappedKey,
} from '@symbolon/crypto/node'
import { sodium } from './native.ts'

/** The purposes of a TEE wallet's two shares. */
export type TeePurpose = 'tee-a' | 'tee-b'

const shareBytes = 33
const ivBytes = 12
const tagBytes = 16

// Written anew for each row: requests are worked off one after the other.
const noRow = new Uint8Array(36)
const aads = {
  'tee-a': envelopeAad(rowContext(noRow, 'tee-a')),
  'tee-b': envelopeAad(rowContext(noRow, 'tee-b')),
}

type Opening = {
  out: Uint8Array
  ciphertext: Uint8Array
  tag: Uint8Array
  aad: Uint8Array
  iv: Uint8Array
  dataKey: Uint8Array
}

/**
 * libsodium's ChaCha20 leaves its key in dead stack frames, from where a copy was found on the heap. An idle opening
 * after each real one, under a key of zeros, goes over the same frames.
 */
const idle = idleOpening()

function idleOpening(): Opening {
  const [aad, iv, dataKey] = [aads['tee-a'].slice(), new Uint8Array(ivBytes), new Uint8Array(32)]
  const sealed = new Uint8Array(shareBytes + tagBytes)
  const share = new Uint8Array(shareBytes)
  sodium.crypto_aead_chacha20poly1305_ietf_encrypt(sealed, share, aad, null, iv, dataKey)
  const ciphertext = sealed.subarray(0, shareBytes)
  return { out: share, ciphertext, tag: sealed.subarray(shareBytes), aad, iv, dataKey }
}

/** Finds the parts of a share's envelope. Throws `EnvelopeError` on anything but an envelope of this purpose. */
export function shareLayout(envelope: Uint8Array, purpose: TeePurpose): EnvelopeLayout {
  const layout = envelopeLayout(envelope)
  if (layout.purpose !== purpose) throw new EnvelopeError('invalid_context')
  return layout
}

/**
 * Opens the envelope of a share of `row` (36 bytes of the wire) into `out`, 33 bytes of locked memory, by libsodium
 * alone: no other memory holds the share for a moment. `out` holds zeros when it throws `EnvelopeError`.
 */
export function openShare(
  envelope: Uint8Array,
  layout: EnvelopeLayout,
  dataKey: Uint8Array,
  row: Uint8Array,
  out: Uint8Array,
): void {
  const ivEnd = layout.sealedStart + ivBytes
  const tagStart = envelope.length - tagBytes
  if (tagStart - ivEnd !== shareBytes) throw new EnvelopeError('invalid_length')
  const real: Opening = {
    out,
    ciphertext: envelope.subarray(ivEnd, tagStart),
    tag: envelope.subarray(tagStart),
    aad: aadOf(row, layout.purpose as TeePurpose),
    iv: envelope.subarray(layout.sealedStart, ivEnd),
    dataKey,
  }
  let isOpen = true
  // One place of calling for both, so that the second meets the same stack as the first.
  for (let opening = real; ; opening = idle) {
    try {
      decrypt(opening)
    } catch {
      isOpen = false
    }
    if (opening === idle) break
  }
  if (isOpen) return
  sodium.sodium_memzero(out)
  throw new EnvelopeError('unauthenticated')
}

function decrypt({ out, ciphertext, tag, aad, iv, dataKey }: Opening): void {
  sodium.crypto_aead_chacha20poly1305_ietf_decrypt_detached(out, null, ciphertext, tag, aad, iv, dataKey)
}

function encrypt(
  sealed: Uint8Array,
  share: Uint8Array,
  aad: Uint8Array,
  iv: Uint8Array,
  key: Uint8Array,
): void {
  sodium.crypto_aead_chacha20poly1305_ietf_encrypt(sealed, share, aad, null, iv, key)
}

/** Seals a share of `row` under a data key that is used for this envelope only. Throws `EnvelopeError`. */
export function sealShare(
  share: Uint8Array,
  dataKey: Uint8Array,
  wrappedKey: WrappedKey & { purpose: TeePurpose },
  row: Uint8Array,
): Uint8Array {
  const sealed = new Uint8Array(ivBytes + share.length + tagBytes)
  const iv = sealed.subarray(0, ivBytes)
  sodium.randombytes_buf(iv)
  const aad = aadOf(row, wrappedKey.purpose)
  const turns = [
    { target: sealed.subarray(ivBytes), plaintext: share, key: dataKey },
    {
      target: new Uint8Array(share.length + tagBytes),
      plaintext: new Uint8Array(share.length),
      key: idle.dataKey,
    },
  ]
  for (const { target, plaintext, key } of turns) encrypt(target, plaintext, aad, iv, key)
  return joinEnvelope(wrappedKey, sealed)
}

// Ids before purpose and share index, polynomial version behind them (ENVELOPE.md, "Context").
function aadOf(row: Uint8Array, purpose: TeePurpose): Uint8Array {
  const aad = aads[purpose]
  for (let i = 0; i < 32; i++) aad[aadContextStart + i] = row[i] ?? 0
  for (let i = 32; i < 36; i++) aad[aadContextStart + 2 + i] = row[i] ?? 0
  return aad
}
