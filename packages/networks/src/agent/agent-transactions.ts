import type { NetworkName } from '../network.ts'
import type { ReadAgentTransaction } from './agent-effects.ts'
import { readAptosTransaction } from './aptos.ts'
import { readBitcoinTransaction } from './bitcoin.ts'
import { readCosmosTransaction } from './cosmos.ts'
import { readEvmTransaction } from './evm.ts'
import { readNearTransaction } from './near.ts'
import { readSolanaTransaction } from './solana.ts'
import { readStellarTransaction } from './stellar.ts'
import { readTronTransaction } from './tron.ts'

/** How each network's transactions are read for policies. */
export const agentTransactions: Readonly<Record<NetworkName, ReadAgentTransaction>> = {
  evm: readEvmTransaction,
  bitcoin: readBitcoinTransaction,
  tron: readTronTransaction,
  cosmos: readCosmosTransaction,
  solana: readSolanaTransaction,
  near: readNearTransaction,
  aptos: readAptosTransaction,
  stellar: readStellarTransaction,
}
