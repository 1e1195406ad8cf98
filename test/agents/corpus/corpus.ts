import { accountMethodCases } from './account-methods.ts'
import { aptosCases } from './aptos.ts'
import { aptosFunctionCases } from './aptos-functions.ts'
import { barePaymentCases } from './bare-payments.ts'
import { bitcoinCases } from './bitcoin.ts'
import { bitcoinFeeCases } from './bitcoin-fees.ts'
import type { CorpusCase } from './corpus-case.ts'
import { cosmosCases } from './cosmos.ts'
import { cosmosContractCases } from './cosmos-contracts.ts'
import { evmAccounts } from './evm-accounts.ts'
import { evmApprovals } from './evm-approvals.ts'
import { evmAuthority } from './evm-authority.ts'
import { evmContracts } from './evm-contracts.ts'
import { evmEncodings } from './evm-encodings.ts'
import { evmMessages } from './evm-messages.ts'
import { evmNative } from './evm-native.ts'
import { evmOperations } from './evm-operations.ts'
import { evmOrders } from './evm-orders.ts'
import { evmOwnAccount } from './evm-own-account.ts'
import { evmPermits } from './evm-permits.ts'
import { evmSafes } from './evm-safes.ts'
import { evmTokenCalls } from './evm-token-calls.ts'
import { evmTokens } from './evm-tokens.ts'
import { evmWrappers } from './evm-wrappers.ts'
import { leftBehindCases } from './left-behind.ts'
import { messageCases } from './messages.ts'
import { nearCases } from './near.ts'
import { osmosisCases } from './osmosis.ts'
import { ownPaymentCases } from './own-payments.ts'
import { routerCases } from './routers.ts'
import { solanaCases } from './solana.ts'
import { solanaHolderCases } from './solana-holders.ts'
import { solanaProgramCases } from './solana-programs.ts'
import { solanaRentCases } from './solana-rents.ts'
import { stellarCases } from './stellar.ts'
import { stellarBalanceCases } from './stellar-balances.ts'
import { stellarContractCases } from './stellar-contracts.ts'
import { stellarPathCases } from './stellar-paths.ts'
import { stellarSpellingCases } from './stellar-spellings.ts'
import { tronCases } from './tron.ts'
import { tronTokenCalls } from './tron-token-calls.ts'
import { unreadMethodCases } from './unread-methods.ts'

/** Every case of every network. */
export const corpus: readonly CorpusCase[] = [
  ...accountMethodCases,
  ...routerCases,
  ...leftBehindCases,
  ...unreadMethodCases,
  ...evmApprovals,
  ...evmAuthority,
  ...evmContracts,
  ...evmEncodings,
  ...evmMessages,
  ...evmNative,
  ...evmOperations,
  ...evmOrders,
  ...evmOwnAccount,
  ...evmPermits,
  ...evmSafes,
  ...evmTokens,
  ...evmTokenCalls,
  ...evmWrappers,
  ...evmAccounts,
  ...bitcoinCases,
  ...bitcoinFeeCases,
  ...tronCases,
  ...tronTokenCalls,
  ...cosmosCases,
  ...cosmosContractCases,
  ...osmosisCases,
  ...ownPaymentCases,
  ...barePaymentCases,
  ...solanaCases,
  ...solanaHolderCases,
  ...solanaProgramCases,
  ...solanaRentCases,
  ...messageCases,
  ...nearCases,
  ...aptosCases,
  ...aptosFunctionCases,
  ...stellarCases,
  ...stellarBalanceCases,
  ...stellarContractCases,
  ...stellarPathCases,
  ...stellarSpellingCases,
]
