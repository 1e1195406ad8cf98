import { policyEffects } from '#policy-effects/evm'
import type { Network, Parsed } from '../network.ts'
import { accountBytes, checksumAddress, parseAddress } from './address.ts'
import { evmChains } from './chains.ts'
import { evmMessage } from './message.ts'
import { evmPrivateKey } from './private-key.ts'
import type { EvmTransaction } from './raw-transaction.ts'
import { evmTransaction } from './transaction.ts'

/** Ethereum and its kin: EIP-55 addresses, EIP-191 messages, unsigned RLP transactions. */
export const evm: Network<Parsed<EvmTransaction>> = {
  name: 'evm',
  curve: 'secp256k1',
  chains: evmChains,
  addresses: (publicKey) => ({ evm: checksumAddress(accountBytes(publicKey)) }),
  isAddress: (text) => parseAddress(text) !== undefined,
  message: evmMessage,
  transaction: evmTransaction,
  policy: policyEffects,
  privateKey: evmPrivateKey,
  addressLabels: { evm: 'Ethereum and EVM chains' },
}
