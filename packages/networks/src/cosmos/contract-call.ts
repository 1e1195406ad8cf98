import { strictJsonObject } from '../codec/strict-json-object.ts'
import type { Effect } from '../effect.ts'
import { unlessRefused } from '../network-error.ts'
import { ownValue } from '../own-value.ts'
import { isUnlimited } from '../preview/amount-display.ts'
import { excerptText } from '../preview/excerpt.ts'
import { shownText } from '../preview/shown-text.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { checkedAccount } from './address.ts'
import { checkedAmount } from './coins.ts'
import type { MessageScope } from './described.ts'

/** How a method of a token contract reads: what it is, who gives (the caller without one), who gets, which are needed. */
type Method = {
  readonly kind: 'transfer' | 'approval'
  readonly owner?: string
  readonly to: string
  readonly needed: readonly string[]
  readonly allowed?: readonly string[]
  /** The allowance that it lowers or ends. */
  readonly isLess?: true
}

const amount = ['amount']
const token_id = ['token_id']

/** Execute messages of CW-20 and CW-721 (cosmwasm cw-plus and cw-nfts). */
const methods = {
  transfer: { kind: 'transfer', to: 'recipient', needed: amount },
  send: { kind: 'transfer', to: 'contract', needed: [...amount, 'msg'] },
  transfer_from: { kind: 'transfer', owner: 'owner', to: 'recipient', needed: amount },
  send_from: { kind: 'transfer', owner: 'owner', to: 'contract', needed: [...amount, 'msg'] },
  increase_allowance: { kind: 'approval', to: 'spender', needed: amount, allowed: ['expires'] },
  decrease_allowance: { kind: 'approval', to: 'spender', needed: amount, allowed: ['expires'], isLess: true },
  transfer_nft: { kind: 'transfer', to: 'recipient', needed: token_id },
  send_nft: { kind: 'transfer', to: 'contract', needed: [...token_id, 'msg'] },
  approve: { kind: 'approval', to: 'spender', needed: token_id, allowed: ['expires'] },
  approve_all: { kind: 'approval', to: 'operator', needed: [], allowed: ['expires'] },
  revoke_all: { kind: 'approval', to: 'operator', needed: [], isLess: true },
} satisfies Readonly<Record<string, Method>>

/** Methods of tokens whose effects are known. */
export type TokenMethod = keyof typeof methods

/** Whether a method is called as one that moves, destroys or lends tokens, whatever its arguments are. */
export function isTokenMethod(method: string): boolean {
  return Object.hasOwn(methods, method) || method === 'burn' || method === 'burn_from'
}

/** What a call of a contract does besides taking its funds: token methods of known meaning, otherwise a call. */
export function describeContractCall(
  msg: Uint8Array,
  from: string,
  contract: string,
  { prefix }: MessageScope,
): DescribedAction {
  const [[name, given] = [], ...more] = Object.entries(strictJsonObject(msg) ?? {})
  if (name !== undefined && more.length === 0) {
    const token = tokenCall(name, given, from, prefix)
    if (token) return describeToken(name, { ...token, asset: contract }, token.args)
  }
  const method = name === undefined || more.length > 0 ? null : shownText(name)
  const details = { asset: null, amount: null, amountDisplay: null, method, args: { msg: excerptText(msg) } }
  return {
    action: { ...details, kind: 'call', from, to: contract },
    title: `Call ${method ?? 'a contract'}`,
    warning: `The effects of ${method ?? 'the call'} on ${contract} are unknown.`,
  }
}

type TokenCall = Omit<Effect, 'asset'> & { readonly args: Readonly<Record<string, string>> }

/** The effect of a token method, or `undefined` where the arguments are not exactly its own. */
function tokenCall(name: string, given: unknown, caller: string, prefix: string): TokenCall | undefined {
  const method = ownValue<Method>(methods, name)
  if (!method || typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const { kind, owner, to, needed, allowed = [], isLess } = method
  const args = given as Readonly<Record<string, unknown>>
  const texts = [to, ...needed, ...(owner === undefined ? [] : [owner])]
  const keys = Object.keys(args)
  if (!texts.every((key) => typeof args[key] === 'string')) return undefined
  if (!keys.every((key) => texts.includes(key) || allowed.includes(key))) return undefined
  return unlessRefused(() => {
    const whole = needed === token_id || needed.includes('token_id') ? 1n : null
    const moves = needed.includes('amount') ? checkedAmount(String(args['amount'])) : whole
    return {
      kind,
      amount: isLess ? 0n : moves,
      from: owner === undefined ? caller : checkedAccount(String(args[owner]), prefix),
      to: checkedAccount(String(args[to]), prefix),
      args: Object.fromEntries(keys.map((key) => [key, argText(args[key])])),
    }
  })
}

function argText(value: unknown): string {
  return shownText(typeof value === 'string' ? value : JSON.stringify(value))
}

function describeToken(
  method: string,
  effect: Effect,
  args: Readonly<Record<string, string>>,
): DescribedAction {
  const { kind, asset, amount, from, to } = effect
  const isUnbounded = kind === 'approval' && isUnlimited(amount)
  const action = {
    kind,
    asset,
    amount,
    from,
    to,
    method,
    args,
    amountDisplay: isUnbounded ? 'unlimited' : null,
  }
  const title = kind === 'approval' ? 'Approve token spending' : 'Transfer token'
  const warning = `Unlimited approval: ${to} may spend all of ${asset}.`
  return { action, title, ...(isUnbounded && { warning }) }
}
