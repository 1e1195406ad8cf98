import { readAptosTransaction } from '../aptos/policy-effects.ts'
import { readBitcoinTransaction } from '../bitcoin/policy-effects.ts'
import { readCosmosTransaction } from '../cosmos/policy-effects.ts'
import { readEvmTransaction } from '../evm/policy-effects.ts'
import { readNearTransaction } from '../near/policy-effects.ts'
import type { NetworkName } from '../network.ts'
import { readSolanaTransaction } from '../solana/policy-effects.ts'
import { readStellarTransaction } from '../stellar/policy-effects.ts'
import { readTronTransaction } from '../tron/policy-effects.ts'
import type { ReadAgentTransaction } from './agent-effects.ts'

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
