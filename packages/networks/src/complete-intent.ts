import { chainByHandle } from './chains.ts'
import { toBase64 } from './codec/base64.ts'
import type { SignIntent } from './intent/intent.ts'
import { NetworkError } from './network-error.ts'
import { chainAddress } from './wallet-addresses.ts'

/** Bytes of fresh entropy. */
type RandomBytes = (length: number) => Uint8Array

/**
 * Fills what a Near or Aptos message must have and the caller left out: a random nonce (32 bytes; for Aptos as
 * 22 characters), the wallet's own account as the recipient. Other intents come back as they are.
 */
export function completeIntent(intent: SignIntent, publicKey: Uint8Array, random: RandomBytes): SignIntent {
  if (intent.kind !== 'message' || (intent.network !== 'near' && intent.network !== 'aptos')) return intent
  if (intent.network === 'aptos') {
    return intent.nonce === undefined ? { ...intent, nonce: toBase64(random(16)).slice(0, 22) } : intent
  }
  const chain = chainByHandle(intent.chain)
  if (!chain) throw new NetworkError('chain_unsupported', 'The chain is unknown.')
  return {
    ...intent,
    nonce: intent.nonce ?? random(32),
    recipient: intent.recipient ?? chainAddress(chain, publicKey),
  }
}
