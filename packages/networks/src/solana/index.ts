import { toBase58 } from '../codec/base58.ts'
import { toHex0x } from '../codec/hex.ts'
import type { Network } from '../network.ts'
import { assertNoTransaction } from '../raw-message.ts'
import { offchainMessage } from './offchain-message.ts'
import { solanaTransactions } from './transaction.ts'

/** Solana: base58 addresses, off-chain messages version 0, bare bytes by `scheme: 'raw'`, legacy and v0 messages. */
export const solana: Network = {
  name: 'solana',
  curve: 'ed25519',
  messageFields: ['scheme', 'applicationDomain'],
  addresses: (publicKey) => ({ solana: toBase58(publicKey) }),
  messagePayload({ message, scheme, applicationDomain }, publicKey) {
    if (scheme === undefined) return offchainMessage(message, publicKey, applicationDomain)
    assertNoTransaction(message)
    return message
  },
  messageDigest: (payload) => payload,
  encodeSignature: ({ signature }) => ({
    signature: toHex0x(signature),
    encoding: 'hex',
    signature_base58: toBase58(signature),
  }),
  transactions: solanaTransactions,
}
