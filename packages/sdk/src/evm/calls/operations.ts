import type { SmartAccounts } from '../../client/smart-accounts.ts'
import type { UserOps } from '../../client/user-ops.ts'
import type { UserOpStatus } from '../../generated/answers.ts'
import type { EvmChain, EvmChains } from '../evm-chains.ts'
import { dataOf, ProviderRpcError, providerCodes } from '../provider-error.ts'
import type { WantedTransaction } from '../transaction-params.ts'
import { knownCall } from './call-lists.ts'

/** How a smart account sends. */
export type OperationsCtx = {
  readonly userOps: UserOps
  readonly smartAccounts: SmartAccounts
  readonly chains: EvmChains
}

/** Sends calls as one operation of the smart account on the chain. Registers the account first if it is new. */
export async function sendOperation(
  { smartAccounts, userOps }: OperationsCtx,
  wanted: readonly WantedTransaction[],
  { handle }: EvmChain,
): Promise<UserOpStatus> {
  const calls = wanted.map(knownCall)
  dataOf(await smartAccounts.create({ chain: handle }))
  return dataOf(await userOps.send({ chain: handle, calls }))
}

/** Waits for an operation; returns the hash of the transaction that carried it. */
export async function landed({ userOps }: OperationsCtx, userOpHash: string): Promise<string> {
  const { transaction_hash, status, reason } = dataOf(await userOps.wait(userOpHash))
  if (status === 'failed' || transaction_hash === null)
    throw new ProviderRpcError(providerCodes.transactionRejected, reason ?? 'The operation failed.')
  return transaction_hash
}
