import { type GenerateAnswer, type GenerateRequest, type Received, rowContext } from '@symbolon/crypto/node'
import type { Slot } from './secure-slots.ts'
import { splitKey } from './split-key.ts'
import { sealShare } from './tee-envelope.ts'
import { rebuildKey, type Vault } from './vault.ts'

/** Working space of `sealKey`: the wallet's private key is in the first slot. */
export type SealKeySlots = readonly [key: Slot, work: Slot, atOne: Slot, atTwo: Slot]

/**
 * Splits a new wallet's key in two envelopes. Both are opened again and rebuild the same public key before the answer
 * leaves, so that no wallet is ever made that could not sign. The caller gives the slots back.
 */
export function sealKey(
  vault: Vault,
  { row, curve, dataKeyB, wrappedKeyB }: Received<GenerateRequest>,
  [key, work, atOne, atTwo]: SealKeySlots,
): GenerateAnswer {
  const publicKey = vault.signers[curve].publicKey(key.key, work.full)
  splitKey(key, work, atOne, atTwo)
  const { dataKey, wrappedKey } = vault.ring.keys.generateDataKey(rowContext(row, 'tee-a'))
  let shareA: Uint8Array
  try {
    shareA = sealShare(atOne.share, dataKey, { ...wrappedKey, purpose: 'tee-a' }, row)
  } finally {
    dataKey.fill(0)
  }
  const shareB = sealShare(atTwo.share, dataKeyB, { ...wrappedKeyB, purpose: 'tee-b' }, row)
  rebuildKey(vault, { row, curve, dataKeyB, publicKey, shareA, shareB }, key, work)
  return { publicKey, shareA, shareB, ringId: vault.ring.id }
}
