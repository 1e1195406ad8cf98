import type { Evm } from '../client/evm.ts'
import { unsigned } from '../client/evm.ts'
import type { Sign } from '../client/sign.ts'
import type { EvmTransaction } from '../generated/requests.ts'
import type { EvmChain } from './evm-chains.ts'
import type { Forward } from './forward.ts'
import { dataOf, invalidParams, ProviderRpcError, providerCodes } from './provider-error.ts'
import { toQuantity, type WantedTransaction } from './transaction-params.ts'

/** Transactions of the wallet itself: the platform fills in what is missing, the wallet signs. */
export type WalletTransactions = {
  /** The signed transaction, 0x hex. */
  sign(wanted: WantedTransaction, chain: EvmChain, own: string): Promise<string>
  /** The hash of the sent transaction. */
  send(wanted: WantedTransaction, chain: EvmChain, own: string): Promise<string>
}

/** Signs and sends through the parts of a client. */
export function walletTransactions(evm: Evm, signing: Sign, forward: Forward): WalletTransactions {
  const fill = async (
    wanted: WantedTransaction,
    { handle }: EvmChain,
    own: string,
  ): Promise<EvmTransaction> => {
    const { to, data, value, gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = wanted
    const limit = gas ?? (to === undefined ? await deploymentGas(wanted, handle, own) : undefined)
    const prepare = {
      chain: handle,
      // A deployment has no recipient: with the gas given, any address serves to read nonce and fees.
      to: to ?? own,
      data: to === undefined ? '0x' : data,
      value: value.toString(),
      ...(limit !== undefined && { gas_limit: limit.toString() }),
    }
    const { to: _to, ...filled } = unsigned(dataOf(await evm.prepare(prepare)))
    return {
      ...filled,
      ...(to !== undefined && { to }),
      data,
      ...(nonce !== undefined && { nonce: toQuantity(nonce) }),
      ...(maxFeePerGas !== undefined && { max_fee_per_gas: toQuantity(maxFeePerGas) }),
      ...fee(filled.max_priority_fee_per_gas, maxFeePerGas, maxPriorityFeePerGas),
    }
  }
  const deploymentGas = async ({ data, value }: WantedTransaction, handle: string, from: string) => {
    if (!forward.reaches(handle)) throw invalidParams('A deployment needs `gas`, as no node is configured.')
    const call = { from, data, value: toQuantity(value) }
    return BigInt(String(await forward.call(handle, 'eth_estimateGas', [call])))
  }
  const sign: WalletTransactions['sign'] = async (wanted, chain, own) => {
    const filled = await fill(wanted, chain, own)
    const signed = dataOf(await signing.transaction(filled, { chain: chain.handle }))
    return String(signed.signed_transaction)
  }
  return {
    sign,
    async send(wanted, chain, own) {
      const raw_tx = await sign(wanted, chain, own)
      return dataOf(await evm.broadcast({ chain: chain.handle, raw_tx })).tx_hash
    },
  }
}

/** The tip must not be above the maximum fee (EIP-1559). */
function fee(prepared: string | undefined, most: bigint | undefined, tip: bigint | undefined) {
  if (tip !== undefined) {
    if (most !== undefined && tip > most)
      throw new ProviderRpcError(providerCodes.invalidParams, 'The tip is above the maximum fee.')
    return { max_priority_fee_per_gas: toQuantity(tip) }
  }
  if (most === undefined || prepared === undefined || BigInt(prepared) <= most) return {}
  return { max_priority_fee_per_gas: toQuantity(most) }
}
