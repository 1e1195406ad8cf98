import type { Context } from '../client/context.ts'
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
  /** The hash of the sent transaction. `batch` names a list of calls that the person has agreed to in the frame. */
  send(wanted: WantedTransaction, chain: EvmChain, own: string, batch?: string): Promise<string>
  /**
   * What the fees of transactions that are sent one after another can cost together, in wei, with room for fees that rise meanwhile. Only
   * the first has to pass its estimate now: the others may need what those before them do.
   */
  maxFee(wanted: readonly WantedTransaction[], chain: EvmChain, own: string): Promise<bigint>
}

/** Room for a base fee that rises while a list is sent. */
const feeRoom = 2n
/** The gas of a call that cannot be estimated yet. */
const gasUnknown = 1_000_000n

/** Signs and sends through the parts of a client. */
export function walletTransactions(
  {
    evm,
    sign: signing,
    context,
  }: { readonly evm: Evm; readonly sign: Sign; readonly context: Pick<Context, 'frame'> },
  forward: Forward,
): WalletTransactions {
  const fill = async (
    wanted: WantedTransaction,
    { handle }: EvmChain,
    own: string,
  ): Promise<EvmTransaction> => {
    const { to, data, value, gas, nonce, maxFeePerGas, maxPriorityFeePerGas, accessList } = wanted
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
      ...(limit === undefined && { gas_limit: toQuantity(BigInt(filled.gas_limit) + listGas(accessList)) }),
      ...(accessList !== undefined && { access_list: accessList }),
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
  const signed = async (transaction: EvmTransaction, { handle }: EvmChain, batch?: string) => {
    if (batch === undefined)
      return String(dataOf(await signing.transaction(transaction, { chain: handle })).signed_transaction)
    const request = { type: 'transaction', chain: handle, transaction }
    return String(dataOf(await context.frame.request('sign', { request, batch }))['signed_transaction'])
  }
  return {
    async sign(wanted, chain, own) {
      const filled = await fill(wanted, chain, own)
      return signed(wanted.isEip2930 ? eip2930(filled) : filled, chain)
    },
    // Only EIP-1559 is sent.
    async send(wanted, chain, own, batch) {
      const raw_tx = await signed(await fill(wanted, chain, own), chain, batch)
      return dataOf(await evm.broadcast({ chain: chain.handle, raw_tx })).tx_hash
    },
    maxFee: (wanted, chain, own) => maxFee((one) => fill(one, chain, own), wanted),
  }
}

/** As `WalletTransactions.maxFee`; `fill` completes a transaction. */
async function maxFee(
  fill: (wanted: WantedTransaction) => Promise<EvmTransaction>,
  [first, ...rest]: readonly WantedTransaction[],
): Promise<bigint> {
  if (first === undefined) return 0n
  const filled = await fill(first)
  const price = BigInt(filled.max_fee_per_gas ?? '0x0')
  let gas = BigInt(filled.gas_limit)
  for (const wanted of rest) {
    const next = await fill(wanted).catch(() => undefined)
    gas += next === undefined ? (wanted.gas ?? gasUnknown) : BigInt(next.gas_limit)
  }
  return gas * price * feeRoom
}

/** What an access list adds to the estimate, which is made without it (EIP-2930: 2,400 per address, 1,900 per key). */
const listGas = (list: EvmTransaction['access_list'] = []): bigint =>
  list.reduce((sum, { storage_keys }) => sum + 2_400n + 1_900n * BigInt(storage_keys.length), 0n)

/** The same with one price for the gas, the highest (EIP-2930). */
function eip2930({ max_fee_per_gas, max_priority_fee_per_gas: _, ...rest }: EvmTransaction): EvmTransaction {
  return {
    ...rest,
    access_list: rest.access_list ?? [],
    ...(max_fee_per_gas && { gas_price: max_fee_per_gas }),
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
