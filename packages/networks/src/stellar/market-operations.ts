import { invalidPayload } from '../network-error.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { assetDisplay, readAsset, readPool } from './assets.ts'
import { describe, type OperationScope, type StellarMethod } from './operation-scope.ts'
import type { XdrReader } from './xdr-reader.ts'

type Price = { readonly n: number; readonly d: number; readonly text: string }

/** MANAGE_SELL_OFFER: whoever pays the price may take the amount. */
export function manageSellOffer(reader: XdrReader, scope: OperationScope): DescribedAction {
  return sellOffer('manage_sell_offer', reader, scope, true)
}

/** CREATE_PASSIVE_SELL_OFFER */
export function createPassiveSellOffer(reader: XdrReader, scope: OperationScope): DescribedAction {
  return sellOffer('create_passive_sell_offer', reader, scope, false)
}

/** MANAGE_BUY_OFFER: it sells at most the bought amount times its price, rounded up. */
export function manageBuyOffer(reader: XdrReader, scope: OperationScope): DescribedAction {
  const selling = readAsset(reader, scope.chain)
  const buying = readAsset(reader, scope.chain)
  const bought = reader.amount()
  const price = readPrice(reader)
  const offer = readOfferId(reader)
  if (bought === 0n) return closeOffer('manage_buy_offer', offer, scope)
  const [n, d] = [BigInt(price.n), BigInt(price.d)]
  const amount = (bought * n + d - 1n) / d
  return describe('approval', 'manage_buy_offer', scope, {
    title: `Offer to buy ${assetDisplay(bought, buying)}`,
    asset: selling,
    amount,
    args: { buying: buying.id, buy_amount: assetDisplay(bought, buying), price: price.text, offer },
  })
}

/** LIQUIDITY_POOL_DEPOSIT: two assets leave, which the bytes name by their pool only. */
export function liquidityPoolDeposit(reader: XdrReader, scope: OperationScope): DescribedAction {
  const pool = readPool(reader).id
  const [max_a, max_b] = [reader.amount().toString(), reader.amount().toString()]
  const [min_price, max_price] = [readPrice(reader).text, readPrice(reader).text]
  return describe('unknown', 'liquidity_pool_deposit', scope, {
    title: 'Deposit into a liquidity pool',
    to: pool,
    args: { max_a, max_b, min_price, max_price },
    warning: 'The transaction does not say which assets the liquidity pool holds.',
  })
}

/** LIQUIDITY_POOL_WITHDRAW */
export function liquidityPoolWithdraw(reader: XdrReader, scope: OperationScope): DescribedAction {
  const asset = readPool(reader)
  const amount = reader.amount()
  const args = { min_a: reader.amount().toString(), min_b: reader.amount().toString() }
  const title = 'Withdraw from a liquidity pool'
  return describe('call', 'liquidity_pool_withdraw', scope, { title, to: asset.id, asset, amount, args })
}

function sellOffer(
  method: StellarMethod,
  reader: XdrReader,
  scope: OperationScope,
  hasId: boolean,
): DescribedAction {
  const asset = readAsset(reader, scope.chain)
  const buying = readAsset(reader, scope.chain)
  const amount = reader.amount()
  const price = readPrice(reader).text
  const offer = hasId ? readOfferId(reader) : null
  if (amount === 0n) return closeOffer(method, offer, scope)
  return describe('approval', method, scope, {
    title: `Offer to sell ${assetDisplay(amount, asset)}`,
    asset,
    amount,
    args: { buying: buying.id, price, offer },
  })
}

function closeOffer(method: StellarMethod, offer: string | null, scope: OperationScope): DescribedAction {
  return describe('call', method, scope, { title: 'Withdraw an offer', args: { offer } })
}

/** Offer 0 is a new one. */
function readOfferId(reader: XdrReader): string | null {
  const id = reader.amount()
  return id === 0n ? null : id.toString()
}

function readPrice(reader: XdrReader): Price {
  const [n, d] = [reader.i32(), reader.i32()]
  if (n <= 0 || d <= 0) throw invalidPayload('A price is not positive.')
  return { n, d, text: `${n}/${d}` }
}
