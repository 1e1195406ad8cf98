import type { Chain } from '../chain.ts'
import type { Action, EffectKind } from '../effect.ts'
import { ownValue } from '../own-value.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { issuedContract, nativeContract } from './asset-contract.ts'
import { type Asset, assetDisplay, issuedAsset, knownAssets, nativeAsset } from './assets.ts'
import type { ContractValue } from './contract-values.ts'
import { type ContractMethod, describe, type OperationScope } from './operation-scope.ts'

/** A call of a contract (C…). */
export type ContractCall = {
  readonly contract: string
  readonly method: ContractMethod
  readonly args: readonly ContractValue[]
}

/** What a call of a token (SEP-41) moves: places of its arguments; `a` address, `n` amount, `x` anything. */
type TokenMethod = {
  readonly kind: EffectKind
  readonly shape: string
  readonly from: number
  readonly to: number | null
  readonly amount: number
}

const tokenMethods = {
  transfer: { kind: 'transfer', shape: 'aan', from: 0, to: 1, amount: 2 },
  transfer_from: { kind: 'transfer', shape: 'aaan', from: 1, to: 2, amount: 3 },
  approve: { kind: 'approval', shape: 'aanx', from: 0, to: 1, amount: 2 },
  burn: { kind: 'transfer', shape: 'an', from: 0, to: null, amount: 1 },
  burn_from: { kind: 'transfer', shape: 'aan', from: 1, to: null, amount: 2 },
} as const satisfies Readonly<Record<string, TokenMethod>>

/** Methods of tokens (SEP-41) whose effects are known. */
export type TokenMethodName = keyof typeof tokenMethods

/** An allowance that no supply comes near to. */
const unlimitedMin = 2n ** 120n
const unknownWarning = 'The effects of this contract call are unknown.'

/** A call as an action: a transfer or approval where it is one of a token, otherwise a call with a warning. */
export function describeCall(call: ContractCall, scope: OperationScope): DescribedAction {
  const { contract, method, args } = call
  const known = ownValue<TokenMethod>(tokenMethods, method)
  if (known && hasShape(args, known.shape)) return describeToken(call, known, scope)
  return describe('call', method, scope, {
    title: `Call ${method} of a contract`,
    to: contract,
    args: argumentTexts(args),
    warning: unknownWarning,
  })
}

/** Whether a method is called as one of tokens whose effects are known, whatever its arguments are. */
export function isTokenMethod(method: string): boolean {
  return Object.hasOwn(tokenMethods, method)
}

function describeToken(call: ContractCall, token: TokenMethod, scope: OperationScope): DescribedAction {
  const { contract, method, args } = call
  const given = args[token.amount]?.i128 ?? 0n
  const amount = token.kind === 'approval' && given >= unlimitedMin ? null : given
  const to = token.to === null ? contract : (args[token.to]?.address ?? null)
  const { action } = describe(token.kind, method, scope, {
    title: '',
    from: args[token.from]?.address ?? scope.source,
    to,
    args: { contract, ...argumentTexts(args) },
  })
  const isNative = contract === nativeContract(scope.chain)
  return tokenAction({ ...action, amount }, contract, isNative ? nativeAsset(scope.chain) : undefined)
}

/** What a token call does, by the asset that its contract stands for, if that is known. */
function tokenAction(action: Action, contract: string, asset: Asset | undefined): DescribedAction {
  const { kind, amount, to } = action
  const amountDisplay = asset && amount !== null ? assetDisplay(amount, asset) : null
  const isUnlimited = amount === null
  return {
    action: { ...action, asset: asset?.id ?? contract, amountDisplay },
    title: `${kind === 'approval' ? 'Approve' : 'Send'} ${amountDisplay ?? 'a token'}`,
    ...(isUnlimited && {
      warning: `Unlimited approval: ${to} may spend all of ${asset?.label ?? contract}.`,
    }),
  }
}

/** As many assets of a transaction as are tried for the contracts that it calls. */
const namedMax = 64

/**
 * Actions with the names of issued assets in place of their contracts (CAP-46-6), as far as the transaction names the assets: what it reads
 * and writes of the wallet's balances has them. A hash says that a name is the contract's.
 */
export function nameTokens(
  described: readonly DescribedAction[],
  named: readonly string[],
  chain: Chain,
): readonly DescribedAction[] {
  if (!described.some(isOfContract)) return described
  const tried = [...knownAssets(chain), ...new Set(named)].slice(0, namedMax)
  const assets = new Map(tried.map((id) => [issuedContract(id, chain), id]))
  return described.map((each) => {
    const contract = each.action.asset ?? ''
    const id = isOfContract(each) ? assets.get(contract) : undefined
    return id === undefined ? each : tokenAction(each.action, contract, issuedAsset(id, chain))
  })
}

function isOfContract({ action: { asset, args } }: DescribedAction): boolean {
  return asset !== null && asset === args?.['contract']
}

function hasShape(args: readonly ContractValue[], shape: string): boolean {
  return (
    args.length === shape.length &&
    args.every(({ address, i128 }, index) => {
      if (shape[index] === 'a') return address !== undefined
      return shape[index] === 'x' || (i128 !== undefined && i128 >= 0n)
    })
  )
}

function argumentTexts(args: readonly ContractValue[]): Record<string, string> {
  return Object.fromEntries(args.map(({ text }, index) => [`arg${index}`, text]))
}
