import { invalidPayload } from '../network-error.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { type Account, readAccount, readAccountId } from './accounts.ts'
import { type Asset, assetDisplay, nativeAsset, readAsset } from './assets.ts'
import { readPredicate } from './claim-predicate.ts'
import { describe, type OperationScope, type StellarMethod } from './operation-scope.ts'
import type { XdrReader } from './xdr-reader.ts'

/** CREATE_ACCOUNT */
export function createAccount(reader: XdrReader, scope: OperationScope): DescribedAction {
  const to = readAccountId(reader)
  const amount = reader.amount()
  const asset = nativeAsset(scope.chain)
  const title = `Create an account with ${assetDisplay(amount, asset)}`
  return describe('transfer', 'create_account', scope, { title, to, asset, amount })
}

/** PAYMENT */
export function payment(reader: XdrReader, scope: OperationScope): DescribedAction {
  const to = readAccount(reader)
  const asset = readAsset(reader, scope.chain)
  return send('payment', scope, to, asset, reader.amount())
}

/** PATH_PAYMENT_STRICT_RECEIVE: the most that it can cost. */
export function pathPaymentStrictReceive(reader: XdrReader, scope: OperationScope): DescribedAction {
  const asset = readAsset(reader, scope.chain)
  const amount = reader.amount()
  const to = readAccount(reader)
  const received = readAsset(reader, scope.chain)
  const args = { receives: assetDisplay(reader.amount(), received), path: readPath(reader, scope) }
  return send('path_payment_strict_receive', scope, to, asset, amount, args)
}

/** PATH_PAYMENT_STRICT_SEND */
export function pathPaymentStrictSend(reader: XdrReader, scope: OperationScope): DescribedAction {
  const asset = readAsset(reader, scope.chain)
  const amount = reader.amount()
  const to = readAccount(reader)
  const received = readAsset(reader, scope.chain)
  const args = { receives_at_least: assetDisplay(reader.amount(), received), path: readPath(reader, scope) }
  return send('path_payment_strict_send', scope, to, asset, amount, args)
}

/** ACCOUNT_MERGE: all that the account holds of the native asset, and the account itself. */
export function accountMerge(reader: XdrReader, scope: OperationScope): DescribedAction {
  const { address, muxed } = readAccount(reader)
  return describe('admin', 'account_merge', scope, {
    title: 'Close the account',
    to: address,
    asset: nativeAsset(scope.chain),
    args: { muxed_to: muxed },
    warning: `This closes ${scope.source} for good and sends all its funds to ${address}.`,
  })
}

/** CREATE_CLAIMABLE_BALANCE: one action per claimant; the amount leaves once, so it stands with the first. */
export function createClaimableBalance(reader: XdrReader, scope: OperationScope): DescribedAction[] {
  const asset = readAsset(reader, scope.chain)
  const amount = reader.amount()
  const claimants = reader.list(10, (item) => {
    item.tag(1)
    return { to: readAccountId(item), claimable: readPredicate(item) }
  })
  if (claimants.length === 0) throw invalidPayload('A claimable balance has no claimant.')
  const title = `Set aside ${assetDisplay(amount, asset)}`
  const shared =
    claimants.length > 1 ? `one balance of ${assetDisplay(amount, asset)} for all claimants` : null
  return claimants.map(({ to, claimable }, index) =>
    describe('transfer', 'create_claimable_balance', scope, {
      title,
      to,
      asset,
      amount: index === 0 ? amount : 0n,
      args: { claimable, shared },
    }),
  )
}

function send(
  method: StellarMethod,
  scope: OperationScope,
  { address, muxed }: Account,
  asset: Asset,
  amount: bigint,
  args: Record<string, string | null> = {},
): DescribedAction {
  const title = `Send ${assetDisplay(amount, asset)}`
  return describe('transfer', method, scope, {
    title,
    to: address,
    asset,
    amount,
    args: { ...args, muxed_to: muxed },
  })
}

function readPath(reader: XdrReader, { chain }: OperationScope): string | null {
  const path = reader.list(5, (item) => readAsset(item, chain).id)
  return path.length === 0 ? null : path.join(' > ')
}
