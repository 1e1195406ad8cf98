import { sha256 } from '@noble/hashes/sha2.js'
import type { Chain } from '../chain.ts'
import { concat } from '../codec/concat.ts'
import type { EffectKind } from '../effect.ts'
import { ownValue } from '../own-value.ts'
import { nativeDisplay } from '../preview/amount-display.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import type { ContractValue } from './contract-values.ts'
import { networkId } from './network-id.ts'
import { type ContractMethod, describe, type OperationScope } from './operation-scope.ts'
import { strkey } from './strkey.ts'

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
  const { nativeAsset } = scope.chain
  const isNative = contract === nativeContract(scope.chain)
  const given = args[token.amount]?.i128 ?? 0n
  const amount = token.kind === 'approval' && given >= unlimitedMin ? null : given
  const to = token.to === null ? contract : (args[token.to]?.address ?? null)
  const amountDisplay = isNative && amount !== null ? nativeDisplay(amount, nativeAsset) : null
  const described = describe(token.kind, method, scope, {
    title: `${token.kind === 'approval' ? 'Approve' : 'Send'} ${amountDisplay ?? 'a token'}`,
    from: args[token.from]?.address ?? scope.source,
    to,
    args: { contract, ...argumentTexts(args) },
    ...(amount === null && { warning: `Unlimited approval: ${to} may spend all of ${contract}.` }),
  })
  const asset = isNative ? nativeAsset.symbol : contract
  return { ...described, action: { ...described.action, asset, amount, amountDisplay } }
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

/** HashIDPreimage of kind 8 (contract id), from an asset (1), the native one (0). */
const nativePreimage = Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0)

/** The contract that stands for the native asset on a chain (CAP-46-6). */
function nativeContract(chain: Chain): string {
  return strkey('contract', sha256(concat(Uint8Array.of(0, 0, 0, 8), networkId(chain), nativePreimage)))
}
