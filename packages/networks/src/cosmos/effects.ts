import type { Action, Decoded } from '../effect.ts'
import type { TransactionScope } from '../network.ts'
import { feeWarnings } from '../preview/fee-warnings.ts'
import { nativeSent } from '../preview/native-sent.ts'
import { shownText } from '../preview/shown-text.ts'
import { summarize } from '../preview/summarize.ts'
import { addressPrefix, checkedAccount } from './address.ts'
import { type Coin, checkedCoin } from './coins.ts'
import type { Parties } from './described.ts'
import { describeMessage } from './messages.ts'
import type { CosmosFee, CosmosTransaction } from './raw-transaction.ts'

/** The effects of a transaction, its fee unless another pays it, and what to be warned of. */
export function cosmosEffects(
  { messages, fee, memo, expiresAtMs, isAlone }: CosmosTransaction,
  { chain, address }: TransactionScope,
): Decoded {
  const scope = { chain, prefix: addressPrefix(chain) }
  const { warnings, actions, title } = summarize(
    messages.flatMap((each) => describeMessage(each, address, scope)),
  )
  const coins = nativeFirst(
    fee.amount.map((coin) => checkedCoin(coin, chain)),
    chain,
  )
  const payer = payerOf(fee, scope.prefix)
  const isOwn = payer === '' || payer === address
  const { symbol } = chain.nativeAsset
  const [paid = { asset: symbol, amount: 0n }, ...more] = coins
  const native = coins.find(({ asset }) => asset === symbol)?.amount ?? 0n
  return {
    title,
    actions: [...withMemo(actions, memo), ...(isOwn ? more.map((coin) => feeAction(coin, address)) : [])],
    fee: isOwn ? { asset: paid.asset, amount: paid.amount } : null,
    warnings: [
      ...warnings,
      ...(isOwn
        ? feeWarnings(native, nativeSent(actions, address, chain), chain)
        : [paidByOther(payer, coins)]),
      ...(isOwn && more.length > 0 ? ['The fee is paid in several coins.'] : []),
      ...(isAlone ? [] : ['Other accounts must sign this transaction too.']),
    ],
    expiresAtMs,
  }
}

/** The fee is shown in the native coin where it has one; what it takes beside is an action each. */
function nativeFirst(
  coins: readonly Coin[],
  { nativeAsset: { symbol } }: TransactionScope['chain'],
): readonly Coin[] {
  return [...coins.filter(({ asset }) => asset === symbol), ...coins.filter(({ asset }) => asset !== symbol)]
}

/** Whose coins pay the fee: an allowance's, another signer's; empty for the first signer's own. */
function payerOf({ payer, granter }: CosmosFee, prefix: string): string {
  if (payer !== '') checkedAccount(payer, prefix)
  return granter === '' ? payer : checkedAccount(granter, prefix)
}

function paidByOther(payer: string, coins: readonly Coin[]): string {
  const amount = coins.map(({ label }) => label).join(', ') || 'nothing'
  return `The fee (${amount}) is paid by ${payer}.`
}

/** What a fee takes beside its first coin. */
function feeAction({ asset, amount, display }: Coin, from: string): Action {
  const parties: Parties = { from, to: null, method: 'fee' }
  return { ...parties, kind: 'transfer', asset, amount, amountDisplay: display, args: null }
}

/** The memo is the transaction's: shown beside the arguments of its first action. */
function withMemo([first, ...rest]: readonly Action[], memo: string): readonly Action[] {
  if (first === undefined) return []
  return memo === ''
    ? [first, ...rest]
    : [{ ...first, args: { ...first.args, memo: shownText(memo) } }, ...rest]
}
