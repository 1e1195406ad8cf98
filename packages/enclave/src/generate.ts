import { type GenerateAnswer, type GenerateRequest, type Received, rowContext } from '@symbolon/crypto/node'
import { sodium } from './native.ts'
import { splitKey } from './split-key.ts'
import { sealShare } from './tee-envelope.ts'
import { rebuildKey, type Vault } from './vault.ts'

/**
 * Makes a wallet's key, splits it in two envelopes and forgets it. Both envelopes are opened again and rebuild the
 * same public key before the answer leaves, so that no wallet is ever made that could not sign.
 */
export function generate(vault: Vault, request: Received<GenerateRequest>): GenerateAnswer {
  const signer = vault.signers[request.curve]
  const slots = [vault.slots.take(), vault.slots.take(), vault.slots.take(), vault.slots.take()] as const
  const [key, work, atOne, atTwo] = slots
  try {
    // One in 2^128 random numbers is no secp256k1 key.
    do sodium.randombytes_buf(key.key)
    while (!signer.isPrivateKey(key.key))
    const publicKey = signer.publicKey(key.key, work.full)
    splitKey(key, work, atOne, atTwo)
    const { row } = request
    const { dataKey, wrappedKey } = vault.ring.generateDataKey(rowContext(row, 'tee-a'))
    let shareA: Uint8Array
    try {
      shareA = sealShare(atOne.share, dataKey, { ...wrappedKey, purpose: 'tee-a' }, row)
    } finally {
      dataKey.fill(0)
    }
    const wrappedKeyB = { ...request.wrappedKeyB, purpose: 'tee-b' as const }
    const shareB = sealShare(atTwo.share, request.dataKeyB, wrappedKeyB, row)
    rebuildKey(vault, { ...request, publicKey, shareA, shareB }, key, work)
    return { publicKey, shareA, shareB }
  } finally {
    for (const slot of slots) vault.slots.give(slot)
  }
}
