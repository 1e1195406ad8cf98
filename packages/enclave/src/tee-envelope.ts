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
import { ivBytes, openInPlace, sealInPlace, tagBytes } from './sodium-aead.ts'

/** The purposes of a TEE wallet's two shares. */
export type TeePurpose = 'tee-a' | 'tee-b'

const shareBytes = 33

// Written anew for each row: requests are worked off one after the other.
const noRow = new Uint8Array(36)
const aads = {
  'tee-a': envelopeAad(rowContext(noRow, 'tee-a')),
  'tee-b': envelopeAad(rowContext(noRow, 'tee-b')),
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
  const isOpen = openInPlace({
    out,
    ciphertext: envelope.subarray(ivEnd, tagStart),
    tag: envelope.subarray(tagStart),
    aad: aadOf(row, layout.purpose as TeePurpose),
    iv: envelope.subarray(layout.sealedStart, ivEnd),
    key: dataKey,
  })
  if (!isOpen) throw new EnvelopeError('unauthenticated')
}

/** Seals a share of `row` under a data key that is used for this envelope only. Throws `EnvelopeError`. */
export function sealShare(
  share: Uint8Array,
  dataKey: Uint8Array,
  wrappedKey: WrappedKey & { purpose: TeePurpose },
  row: Uint8Array,
): Uint8Array {
  return joinEnvelope(wrappedKey, sealInPlace(share, aadOf(row, wrappedKey.purpose), dataKey))
}

// Ids before purpose and share index, polynomial version behind them (ENVELOPE.md, "Context").
function aadOf(row: Uint8Array, purpose: TeePurpose): Uint8Array {
  const aad = aads[purpose]
  for (let i = 0; i < 32; i++) aad[aadContextStart + i] = row[i] ?? 0
  for (let i = 32; i < 36; i++) aad[aadContextStart + 2 + i] = row[i] ?? 0
  return aad
}
