import {
  type EnvelopeContext,
  EnvelopeError,
  envelopeLayout,
  joinEnvelope,
  parseEnvelope,
  type ReceivedGrant,
  rowContext,
} from '@symbolon/crypto/node'
import { sodium } from './native.ts'
import type { Slot } from './secure-slots.ts'
import { ivBytes, openInPlace, sealInPlace, tagBytes } from './sodium-aead.ts'
import type { Vault } from './vault.ts'

/** A grant as a request brings it; `tokenKey` is 32 bytes. */
export type GrantOpening = ReceivedGrant & { tokenKey: Uint8Array; grant: Uint8Array }

type Keying = Pick<GrantOpening, 'context' | 'tokenKey'>

const format = 1
const headBytes = 3
const keyBytes = 32
const domain = Buffer.from('symbolon agent grant v1\0')
const noKeys = new Uint8Array(2 * keyBytes)
const noText = new Uint8Array(2 * keyBytes)

// Shares have the indexes 1 and 2: no data key of a grant opens as one of theirs, nor the reverse.
const ringContext = (row: Uint8Array): EnvelopeContext => ({ ...rowContext(row, 'tee-a'), shareIndex: 0 })

/**
 * Seals a session's data key B and its policy (SPEC.md, "Agents"), each under a key of its own that takes both a fresh data key of
 * the tee-a ring and the token key to make, and that holds for this context only.
 */
export function sealGrant(
  vault: Vault,
  request: Keying & Pick<GrantOpening, 'row'>,
  dataKeyB: Uint8Array,
  policy: Uint8Array,
): Uint8Array {
  const { dataKey, wrappedKey } = vault.ring.keys.generateDataKey(ringContext(request.row))
  const keys = vault.slots.take()
  try {
    const aad = deriveKeys(vault, dataKey, request, keys)
    const envelope = joinEnvelope(wrappedKey, sealInPlace(dataKeyB, aad, keyOf(keys, 'data key')))
    const sealed = sealInPlace(policy, aad, keyOf(keys, 'policy'))
    return Buffer.concat([Buffer.of(format, envelope.length >> 8, envelope.length & 0xff), envelope, sealed])
  } finally {
    dataKey.fill(0)
    vault.slots.give(keys)
  }
}

/**
 * Opens the policy of a grant and, where `dataKeyB` is given, its data key B into those 32 bytes of locked memory. Throws
 * `EnvelopeError` on another context, another token key, and anything altered.
 */
export function openGrant(vault: Vault, request: GrantOpening, dataKeyB?: Uint8Array): Uint8Array {
  return withKeys(vault, request, (parts, aad, keys) => {
    const policy = new Uint8Array(parts.sealed.length - ivBytes - tagBytes)
    open(parts.sealed, aad, keyOf(keys, 'policy'), policy)
    if (dataKeyB) open(parts.sealedKey, aad, keyOf(keys, 'data key'), dataKeyB)
    return policy
  })
}

/** `openGrant` of the data key alone, for who knows the policy of these very bytes already. */
export function openGrantKey(vault: Vault, request: GrantOpening, dataKeyB: Uint8Array): void {
  withKeys(vault, request, (parts, aad, keys) =>
    open(parts.sealedKey, aad, keyOf(keys, 'data key'), dataKeyB),
  )
}

type Parts = { sealedKey: Uint8Array; sealed: Uint8Array }

function withKeys<result>(
  vault: Vault,
  request: GrantOpening,
  use: (parts: Parts, aad: Uint8Array, keys: Slot) => result,
): result {
  const { envelope, sealed } = split(request.grant)
  const layout = envelopeLayout(envelope)
  if (layout.purpose !== 'tee-a') throw new EnvelopeError('invalid_context')
  const keys = vault.slots.take()
  try {
    const dataKey = vault.grantKeys.get(request.context, envelope, layout.wrappedEnd, () =>
      vault.ring.keys.unwrap(parseEnvelope(envelope).wrappedKey, ringContext(request.row)),
    )
    const aad = deriveKeys(vault, dataKey, request, keys)
    return use({ sealedKey: envelope.subarray(layout.sealedStart), sealed }, aad, keys)
  } finally {
    vault.slots.give(keys)
  }
}

function split(grant: Uint8Array): { envelope: Uint8Array; sealed: Uint8Array } {
  const end = headBytes + (((grant[1] ?? 0) << 8) | (grant[2] ?? 0))
  if (grant[0] !== format || grant.length <= end + ivBytes + tagBytes) throw new EnvelopeError('malformed')
  return { envelope: grant.subarray(headBytes, end), sealed: grant.subarray(end) }
}

/**
 * BLAKE2b under data key and token key together, over the context: 32 bytes for each part, into `keys`. Answers the context
 * as both parts are authenticated with.
 */
function deriveKeys(
  { slots }: Vault,
  dataKey: Uint8Array,
  { context, tokenKey }: Keying,
  keys: Slot,
): Uint8Array {
  const aad = Buffer.concat([domain, context])
  const both = slots.take()
  try {
    both.full.set(dataKey)
    both.full.set(tokenKey, keyBytes)
    // Its idle second turn goes over the stack frames that the first one leaves keys in.
    const turns = [
      { out: keys.full, under: both.full },
      { out: noText, under: noKeys },
    ]
    for (const { out, under } of turns) sodium.crypto_generichash(out, aad, under)
    return aad
  } finally {
    slots.give(both)
  }
}

const keyOf = (keys: Slot, part: 'data key' | 'policy'): Uint8Array =>
  part === 'data key' ? keys.full.subarray(0, keyBytes) : keys.full.subarray(keyBytes)

function open(sealed: Uint8Array, aad: Uint8Array, key: Uint8Array, out: Uint8Array): void {
  const tagStart = sealed.length - tagBytes
  if (tagStart - ivBytes !== out.length) throw new EnvelopeError('invalid_length')
  const isOpen = openInPlace({
    out,
    ciphertext: sealed.subarray(ivBytes, tagStart),
    tag: sealed.subarray(tagStart),
    aad,
    iv: sealed.subarray(0, ivBytes),
    key,
  })
  if (!isOpen) throw new EnvelopeError('unauthenticated')
}
