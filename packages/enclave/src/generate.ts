import type { GenerateAnswer, GenerateRequest, Received } from '@symbolon/crypto/node'
import { sodium } from './native.ts'
import { sealKey } from './seal-key.ts'
import { takeSlots } from './secure-slots.ts'
import type { Vault } from './vault.ts'

/** Makes a wallet's key, splits it in two envelopes and forgets it. */
export function generate(vault: Vault, request: Received<GenerateRequest>): GenerateAnswer {
  const { isPrivateKey } = vault.signers[request.curve]
  return takeSlots(vault.slots, (slots) => {
    const [{ key }] = slots
    // One in 2^128 random numbers is not a secp256k1 key.
    do sodium.randombytes_buf(key)
    while (!isPrivateKey(key))
    return sealKey(vault, request, slots)
  })
}
