import { policyEffects } from '#policy-effects/cosmos'
import type { Network } from '../network.ts'
import { accountAddress, isCosmosAddress } from './address.ts'
import { cosmosChains } from './chains.ts'
import { cosmosMessage } from './message.ts'
import { cosmosPrivateKey } from './private-key.ts'
import { type CosmosParsed, cosmosTransaction } from './transaction.ts'

/** Cosmos chains: bech32 addresses of RIPEMD-160(SHA-256(key)), ADR-036 messages, transactions in two sign modes. */
export const cosmos: Network<CosmosParsed> = {
  name: 'cosmos',
  curve: 'secp256k1',
  chains: cosmosChains,
  addresses: (publicKey) => ({
    cosmos: accountAddress('cosmos', publicKey),
    osmosis: accountAddress('osmo', publicKey),
  }),
  isAddress: isCosmosAddress,
  message: cosmosMessage,
  transaction: cosmosTransaction,
  policy: policyEffects,
  privateKey: cosmosPrivateKey,
}
