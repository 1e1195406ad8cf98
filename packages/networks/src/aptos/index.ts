import { policyEffects } from '#policy-effects/aptos'
import { toHex0x } from '../codec/hex.ts'
import type { Network, Parsed } from '../network.ts'
import { accountAddress, isAptosAddress } from './address.ts'
import { aptosChains } from './chains.ts'
import { aptosMessage } from './message.ts'
import { aptosPrivateKey } from './private-key.ts'
import type { AptosTransaction } from './raw-transaction.ts'
import { aptosTransaction } from './transaction.ts'

/** Aptos: legacy ed25519 authentication keys as addresses, messages of the wallet standard, BCS transactions. */
export const aptos: Network<Parsed<AptosTransaction>> = {
  name: 'aptos',
  curve: 'ed25519',
  chains: aptosChains,
  addresses: (publicKey) => ({ aptos: toHex0x(accountAddress(publicKey)) }),
  isAddress: isAptosAddress,
  message: aptosMessage,
  transaction: aptosTransaction,
  policy: policyEffects,
  privateKey: aptosPrivateKey,
}
