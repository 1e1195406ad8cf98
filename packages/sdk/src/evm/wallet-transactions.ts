import type { Evm } from '../client/evm.ts'
import { unsigned } from '../client/evm.ts'
import type { Sign } from '../client/sign.ts'
import type { EvmTransaction } from '../generated/requests.ts'
import type { EvmChain } from './evm-chains.ts'
import type { Forward } from './forward.ts'
import { invalidParams, ProviderRpcError, providerCodes, providerError } from './provider-error.ts'
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
    const prepared = await evm.prepare({
      chain: handle,
      // What deploys a contract has no recipient: with the gas given, any stands in for the nonce and the fees.
      to: to ?? own,
      data: to === undefined ? '0x' : data,
      value: value.toString(),
      ...(limit !== undefined && { gas_limit: limit.toString() }),
    })
    if (prepared.error !== null) throw providerError(prepared.error)
    const { to: _to, ...filled } = unsigned(prepared.data)
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
    const signed = await signing.transaction(await fill(wanted, chain, own), { chain: chain.handle })
    if (signed.error !== null) throw providerError(signed.error)
    return String(signed.data.signed_transaction)
  }
  return {
    sign,
    async send(wanted, chain, own) {
      const raw_tx = await sign(wanted, chain, own)
      const sent = await evm.broadcast({ chain: chain.handle, raw_tx })
      if (sent.error !== null) throw providerError(sent.error)
      return sent.data.tx_hash
    },
  }
}

/** A tip may not be above the most that is paid at all (EIP-1559). */
function fee(prepared: string | undefined, most: bigint | undefined, tip: bigint | undefined) {
  if (tip !== undefined) {
    if (most !== undefined && tip > most)
      throw new ProviderRpcError(providerCodes.invalidParams, 'The tip is above the maximum fee.')
    return { max_priority_fee_per_gas: toQuantity(tip) }
  }
  if (most === undefined || prepared === undefined || BigInt(prepared) <= most) return {}
  return { max_priority_fee_per_gas: toQuantity(most) }
}
