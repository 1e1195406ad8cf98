import { policyEffects } from '#policy-effects/near'
import { toHex } from '../codec/hex.ts'
import type { Network, Parsed } from '../network.ts'
import { nearChains } from './chains.ts'
import { nearMessage } from './message.ts'
import { nearPrivateKey } from './private-key.ts'
import type { NearTransaction } from './raw-transaction.ts'
import { nearTransaction } from './transaction.ts'

/** Near: implicit accounts (hex of the key), NEP-413 messages, borsh transactions and delegate actions (NEP-366). */
export const near: Network<Parsed<NearTransaction>> = {
  name: 'near',
  curve: 'ed25519',
  chains: nearChains,
  addresses: (publicKey) => ({ near: toHex(publicKey) }),
  isAddress: (text) => /^[0-9a-f]{64}$/.test(text.toLowerCase()),
  message: nearMessage,
  transaction: nearTransaction,
  policy: policyEffects,
  privateKey: nearPrivateKey,
}
