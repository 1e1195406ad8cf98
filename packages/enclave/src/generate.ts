import { type GenerateAnswer, type GenerateRequest, sealEnvelope, teeContext } from '@symbolon/crypto/node'
import { sodium } from './native.ts'
import { splitKey } from './split-key.ts'
import { rebuildKey, type Vault } from './vault.ts'

/**
 * Makes a wallet's key, splits it in two envelopes and forgets it. Both envelopes are opened again and rebuild the
 * same public key before the answer leaves, so that no wallet is ever made that could not sign.
 */
export function generate(vault: Vault, request: GenerateRequest): GenerateAnswer {
  const signer = vault.signers[request.curve]
  const slots = [vault.slots.take(), vault.slots.take(), vault.slots.take(), vault.slots.take()] as const
  const [key, work, atOne, atTwo] = slots
  try {
    // One in 2^128 random numbers is no secp256k1 key.
    do sodium.randombytes_buf(key.key)
    while (!signer.isPrivateKey(key.key))
    const publicKey = signer.publicKey(key.key, work.full)
    splitKey(key, work, atOne, atTwo)
    const contextA = teeContext(request, 'tee-a')
    const { dataKey, wrappedKey } = vault.ring.generateDataKey(contextA)
    let shareA: Uint8Array
    try {
      shareA = sealEnvelope(atOne.share, dataKey, wrappedKey, contextA)
    } finally {
      dataKey.fill(0)
    }
    const contextB = teeContext(request, 'tee-b')
    const shareB = sealEnvelope(atTwo.share, request.dataKeyB, request.wrappedKeyB, contextB)
    rebuildKey(vault, { ...request, publicKey, shareA, shareB }, key, work)
    return { publicKey, shareA, shareB }
  } finally {
    for (const slot of slots) vault.slots.give(slot)
  }
}
