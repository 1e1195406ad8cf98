import { toHex0x } from '../codec/hex.ts'
import type { Action, Decoded } from '../effect.ts'
import type { TransactionScope } from '../network.ts'
import { nativeDisplay } from '../preview/amount-display.ts'
import { feeWarnings } from '../preview/fee-warnings.ts'
import { type DescribedAction, summarize } from '../preview/summarize.ts'
import { returnedData, scriptAddress } from './output-script.ts'
import type { TransactionOutput } from './raw-transaction.ts'
import { type Spend, sum } from './spend.ts'

/**
 * What a spend does: each output that does not come back to the wallet is an action; the fee is what the inputs hold
 * beyond the outputs.
 */
export function decodeSpendEffects(spend: Spend, scope: TransactionScope): Decoded {
  const { transaction, inputs, owners, fee } = spend
  const { nativeAsset } = scope.chain
  const paid = transaction.outputs.filter((_, index) => owners[index] === undefined)
  const decoded = summarize(paid.map((output) => describeOutput(output, scope)))
  const warnings = [...decoded.warnings]
  if (inputs.some(({ owner }) => owner === undefined)) {
    warnings.push('Coins of others are spent along with those of this wallet.')
  }
  if (scope.chain.handle !== 'bitcoin') {
    warnings.push('The bytes name no network: what is signed is good on the main network too.')
  }
  const sent = sum(paid.length === 0 ? transaction.outputs : paid)
  return {
    title: paid.length === 0 ? `Move ${nativeAsset.symbol} within this wallet` : decoded.title,
    actions: decoded.actions,
    fee: { asset: nativeAsset.symbol, amount: fee },
    warnings: [...warnings, ...feeWarnings(fee, sent, scope.chain)],
  }
}

function describeOutput(
  { amount, script }: TransactionOutput,
  { chain, address }: TransactionScope,
): DescribedAction {
  const { nativeAsset } = chain
  const amountDisplay = nativeDisplay(amount, nativeAsset)
  const action: Action = {
    kind: 'transfer',
    asset: nativeAsset.symbol,
    amount,
    from: address,
    to: scriptAddress(script, chain) ?? null,
    amountDisplay,
    method: null,
    args: null,
  }
  if (action.to !== null) return { action, title: `Send ${amountDisplay}` }
  const data = returnedData(script)
  if (data === undefined) {
    const args = { script: toHex0x(script) }
    const warning = 'An output has a script without an address: who can spend it is unknown.'
    return { action: { ...action, kind: 'unknown', args }, title: 'Pay to an unknown script', warning }
  }
  // A protocol on top of Bitcoin may take the data for an order.
  const call = { ...action, kind: 'call', to: 'OP_RETURN', args: { data: toHex0x(data) } } as const
  const title = 'Publish data'
  if (amount > 0n) return { action: call, title, warning: `${amountDisplay} are destroyed.` }
  return { action: { ...call, asset: null, amount: null, amountDisplay: null }, title }
}
