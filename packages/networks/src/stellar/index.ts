import { policyEffects } from '#policy-effects/stellar'
import type { Network, Parsed } from '../network.ts'
import { stellarChains } from './chains.ts'
import { stellarMessage } from './message.ts'
import { stellarPrivateKey } from './private-key.ts'
import { readStrkey, strkey } from './strkey.ts'
import { stellarTransaction } from './transaction.ts'
import type { StellarEnvelope } from './transaction-envelope.ts'

/** Stellar: strkey addresses, SEP-53 messages, transaction envelopes in XDR. */
export const stellar: Network<Parsed<StellarEnvelope>> = {
  name: 'stellar',
  curve: 'ed25519',
  chains: stellarChains,
  addresses: (publicKey) => ({ stellar: strkey('account', publicKey) }),
  isAddress: (text) => readStrkey('account', text) !== undefined,
  message: stellarMessage,
  transaction: stellarTransaction,
  policy: policyEffects,
  privateKey: stellarPrivateKey,
}
