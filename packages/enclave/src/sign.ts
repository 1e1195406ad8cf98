import type { Received, SignAnswer, SignRequest } from '@symbolon/crypto/node'
import { decodeIntent, signingDigest } from '@symbolon/networks'
import { IntegrityFault } from './enclave-fault.ts'
import { rebuildKey, type Vault } from './vault.ts'

/**
 * Signs an intent with a wallet's key. The payload is derived here from the intent, the key is proven to be the
 * wallet's before it signs, and the signature is verified before it leaves. Throws `NetworkError` on an intent that
 * does not decode, `IntegrityFault` on a signature that does not verify, and what `rebuildKey` throws.
 */
export function sign(vault: Vault, request: Received<SignRequest>): SignAnswer {
  const payload = signingDigest(decodeIntent(request.intent), request.curve, request.publicKey)
  const signer = vault.signers[request.curve]
  const key = vault.slots.take()
  const work = vault.slots.take()
  let answer: SignAnswer
  try {
    rebuildKey(vault, request, key, work)
    answer = signer.sign(payload, key.key, work.full)
  } finally {
    vault.slots.give(work)
    vault.slots.give(key)
  }
  if (!signer.verify(payload, answer.signature, request.publicKey)) {
    throw new IntegrityFault('a signature does not verify')
  }
  return answer
}
