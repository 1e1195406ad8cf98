import { policyEffects } from '#policy-effects/tron'
import type { Network } from '../network.ts'
import { accountAddress, addressText, isTronAddress } from './address.ts'
import { tronChains } from './chains.ts'
import { tronMessage } from './message.ts'
import { tronPrivateKey } from './private-key.ts'
import { type TronParsed, tronTransaction } from './transaction.ts'

/** Tron: base58check addresses with prefix 0x41, TIP-191 messages, protobuf transactions. */
export const tron: Network<TronParsed> = {
  name: 'tron',
  curve: 'secp256k1',
  chains: tronChains,
  addresses: (publicKey) => ({ tron: addressText(accountAddress(publicKey)) }),
  isAddress: isTronAddress,
  message: tronMessage,
  transaction: tronTransaction,
  policy: policyEffects,
  privateKey: tronPrivateKey,
}
