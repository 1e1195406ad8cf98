import { type Evm, unsigned } from '../client/evm.ts'
import type { EvmTransaction } from '../generated/requests.ts'
import type { EvmChain } from './evm-chains.ts'
import type { Forward } from './forward.ts'
import { dataOf, invalidParams } from './provider-error.ts'
import { toQuantity, type WantedTransaction } from './transaction-params.ts'

/**
 * Fills in what a wanted transaction leaves open: nonce, gas and fees, as the platform reads them from the chain. `isPaid`: rejects where the
 * wallet cannot pay it.
 */
export type TransactionFiller = (
  wanted: WantedTransaction,
  chain: EvmChain,
  own: string,
  isPaid?: boolean,
) => Promise<EvmTransaction>

/** Fills transactions of the wallet `own`. */
export function transactionFiller(evm: Evm, forward: Forward): TransactionFiller {
  const deploymentGas = async ({ data, value }: WantedTransaction, handle: string, from: string) => {
    if (!forward.reaches(handle)) throw invalidParams('A deployment needs `gas`, as no node is configured.')
    const call = { from, data, value: toQuantity(value) }
    return BigInt(String(await forward.call(handle, 'eth_estimateGas', [call])))
  }
  return async (wanted, { handle }, own, isPaid = false) => {
    const { to, data, value, gas, nonce, maxFeePerGas, maxPriorityFeePerGas, accessList } = wanted
    const limit = gas ?? (to === undefined ? await deploymentGas(wanted, handle, own) : undefined)
    const prepare = {
      chain: handle,
      // A deployment has no recipient: with the gas given, any address serves to read nonce and fees.
      to: to ?? own,
      data: to === undefined ? '0x' : data,
      value: value.toString(),
      ...(limit !== undefined && { gas_limit: limit.toString() }),
      ...(maxFeePerGas !== undefined && { max_fee_per_gas: maxFeePerGas.toString() }),
      ...(isPaid && { check_funds: true }),
    }
    const { to: _to, ...filled } = unsigned(dataOf(await evm.prepare(prepare)))
    return {
      ...filled,
      ...(limit === undefined && { gas_limit: toQuantity(BigInt(filled.gas_limit) + listGas(accessList)) }),
      ...(accessList !== undefined && { access_list: accessList }),
      ...(to !== undefined && { to }),
      data,
      ...(nonce !== undefined && { nonce: toQuantity(nonce) }),
      ...tipped(maxFeePerGas, maxPriorityFeePerGas),
    }
  }
}

/** What an access list adds to the estimate, which is made without it (EIP-2930: 2,400 per address, 1,900 per key). */
const listGas = (list: EvmTransaction['access_list'] = []): bigint =>
  list.reduce((sum, { storage_keys }) => sum + 2_400n + 1_900n * BigInt(storage_keys.length), 0n)

/** The tip must not be above the maximum fee (EIP-1559). */
function tipped(most: bigint | undefined, tip: bigint | undefined) {
  if (tip === undefined) return {}
  if (most !== undefined && tip > most) throw invalidParams('The tip is above the maximum fee.')
  return { max_priority_fee_per_gas: toQuantity(tip) }
}
