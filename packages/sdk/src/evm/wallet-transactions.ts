import type { Context } from '../client/context.ts'
import type { Evm } from '../client/evm.ts'
import type { Sign } from '../client/sign.ts'
import type { EvmTransaction } from '../generated/requests.ts'
import type { EvmChain } from './evm-chains.ts'
import type { Forward } from './forward.ts'
import { dataOf } from './provider-error.ts'
import { transactionFiller } from './transaction-filler.ts'
import type { WantedTransaction } from './transaction-params.ts'

/** Transactions of the wallet itself: the platform fills in what is missing, the wallet signs. */
export type WalletTransactions = {
  /** The signed transaction, 0x hex. */
  sign(wanted: WantedTransaction, chain: EvmChain, own: string): Promise<string>
  /** The hash of the sent transaction. `batch` names a list of calls that the person has agreed to in the frame. */
  send(wanted: WantedTransaction, chain: EvmChain, own: string, batch?: string): Promise<string>
  /**
   * What the fees of transactions that are sent one after another can cost together, in wei, with room for fees that rise meanwhile. Only
   * the first has to pass its estimate now: the others may need what those before them do. Rejects where the wallet cannot pay all of them.
   */
  maxFee(wanted: readonly WantedTransaction[], chain: EvmChain, own: string): Promise<bigint>
}

/** Room for a base fee that rises while a list is sent. */
const feeRoom = 2n
/** The gas of a call that cannot be estimated yet. */
const gasUnknown = 1_000_000n
/** The gas that every transaction takes. */
const gasLowest = 21_000n

/** Signs and sends through the parts of a client. */
export function walletTransactions(
  {
    evm,
    sign: signing,
    context,
  }: { readonly evm: Evm; readonly sign: Sign; readonly context: Pick<Context, 'frame'> },
  forward: Forward,
): WalletTransactions {
  const fill = transactionFiller(evm, forward)
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
      const raw_tx = await signed(await fill(wanted, chain, own, true), chain, batch)
      return dataOf(await evm.broadcast({ chain: chain.handle, raw_tx })).tx_hash
    },
    maxFee: (wanted, chain, own) => maxFee((one, isPaid) => fill(one, chain, own, isPaid), wanted),
  }
}

/** As `WalletTransactions.maxFee`; `fill` completes a transaction, or asks whether the wallet can pay it. */
async function maxFee(
  fill: (wanted: WantedTransaction, isPaid?: boolean) => Promise<EvmTransaction>,
  [first, ...rest]: readonly WantedTransaction[],
): Promise<bigint> {
  if (first === undefined) return 0n
  const filled = await fill(first)
  const price = BigInt(filled.max_fee_per_gas ?? '0x0')
  let [gas, gasLeast, value] = [BigInt(filled.gas_limit), BigInt(filled.gas_limit), first.value]
  for (const wanted of rest) {
    const next = await fill(wanted).catch(() => undefined)
    gas += next === undefined ? gasUnknown : BigInt(next.gas_limit)
    gasLeast += next === undefined ? gasLowest : BigInt(next.gas_limit)
    value += wanted.value
  }
  const all = { data: '0x', gas: gasLeast, value, maxFeePerGas: price, maxPriorityFeePerGas: undefined }
  await fill({ ...first, ...all }, true)
  return gas * price * feeRoom
}

/** The same with one price for the gas, the highest (EIP-2930). */
function eip2930({ max_fee_per_gas, max_priority_fee_per_gas: _, ...rest }: EvmTransaction): EvmTransaction {
  return {
    ...rest,
    access_list: rest.access_list ?? [],
    ...(max_fee_per_gas && { gas_price: max_fee_per_gas }),
  }
}
