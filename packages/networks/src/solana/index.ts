import { policyEffects } from '#policy-effects/solana'
import { fromBase58, toBase58 } from '../codec/base58.ts'
import type { Network, Parsed } from '../network.ts'
import { solanaChains } from './chains.ts'
import { solanaMessage } from './message.ts'
import { solanaPrivateKey } from './private-key.ts'
import type { SolanaTransaction } from './raw-transaction.ts'
import { solanaTransaction } from './transaction.ts'

/** Solana: base58 addresses, off-chain messages version 0, bare bytes by `scheme: 'raw'`, legacy and v0 messages. */
export const solana: Network<Parsed<SolanaTransaction>> = {
  name: 'solana',
  curve: 'ed25519',
  chains: solanaChains,
  addresses: (publicKey) => ({ solana: toBase58(publicKey) }),
  isAddress: (text) => fromBase58(text)?.length === 32,
  message: solanaMessage,
  transaction: solanaTransaction,
  policy: policyEffects,
  privateKey: solanaPrivateKey,
}
