import { policyEffects } from '#policy-effects/bitcoin'
import type { Network, Parsed } from '../network.ts'
import { bitcoinAddresses, isBitcoinAddress } from './address.ts'
import { bitcoinChains } from './chains.ts'
import { bitcoinMessage } from './message.ts'
import { bitcoinPrivateKey } from './private-key.ts'
import type { Spend } from './spend.ts'
import { bitcoinTransaction } from './transaction.ts'

/**
 * Bitcoin: P2WPKH (BIP-84) and BIP-86 taproot addresses, BIP-322 simple messages of the P2WPKH address, PSBTs that
 * spend from both.
 */
export const bitcoin: Network<Parsed<Spend>> = {
  name: 'bitcoin',
  curve: 'secp256k1',
  chains: bitcoinChains,
  addresses: bitcoinAddresses,
  isAddress: isBitcoinAddress,
  message: bitcoinMessage,
  transaction: bitcoinTransaction,
  policy: policyEffects,
  privateKey: bitcoinPrivateKey,
  addressLabels: { bitcoin_taproot: 'Bitcoin Taproot' },
}
