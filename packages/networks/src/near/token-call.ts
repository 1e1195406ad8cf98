import { strictJsonObject } from '../codec/strict-json-object.ts'
import type { Effect } from '../effect.ts'
import { ownValue } from '../own-value.ts'
import { shownText } from '../preview/shown-text.ts'
import { isAccountId } from './account-id.ts'

/** What a call of a token standard does: effect of an unnamed sender, and its arguments. */
export type TokenCall = Pick<Effect, 'kind' | 'amount' | 'to'> & {
  readonly args: Readonly<Record<string, string>>
}

type Method = {
  readonly kind: 'transfer' | 'approval'
  /** The argument that names whom it goes to. */
  readonly to: string
  readonly needed: readonly string[]
  readonly allowed: readonly string[]
}

const fungible: Method = { kind: 'transfer', to: 'receiver_id', needed: ['amount'], allowed: ['memo'] }
const item: Method = {
  kind: 'transfer',
  to: 'receiver_id',
  needed: ['token_id'],
  allowed: ['memo', 'approval_id'],
}

/** Methods of NEP-141, NEP-171 and NEP-178 that move or lend tokens, each with one yoctoNEAR attached. */
const methods: Readonly<Record<string, Method>> = {
  ft_transfer: fungible,
  ft_transfer_call: { ...fungible, needed: ['amount', 'msg'] },
  nft_transfer: item,
  nft_transfer_call: { ...item, needed: ['token_id', 'msg'] },
  nft_approve: { kind: 'approval', to: 'account_id', needed: ['token_id'], allowed: ['msg'] },
}

const amountText = /^(?:0|[1-9][0-9]{0,38})$/
/** Longer than the arguments of any token call; a call with longer ones counts as a call of an unknown method. */
const argsMax = 16 << 10
const u128Max = 2n ** 128n - 1n

/**
 * The token that a call moves, or `undefined` where the arguments are not exactly those of the standard: one JSON
 * object whose keys stand once, texts and no escapes that hide something, amounts in decimal digits.
 */
export function tokenCall(name: string, args: Uint8Array): TokenCall | undefined {
  const method = ownValue(methods, name)
  const given = method && args.length <= argsMax ? strictJsonObject(args) : undefined
  if (method === undefined || given === undefined) return undefined
  const { kind, needed, allowed, to } = method
  const keys = Object.keys(given)
  if (![to, ...needed].every((key) => typeof given[key] === 'string')) return undefined
  if (!keys.every((key) => [to, ...needed, ...allowed].includes(key) && isPlain(given[key]))) return undefined
  const receiver = String(given[to])
  const amount = needed.includes('amount') ? amountOf(String(given['amount'])) : 1n
  if (!isAccountId(receiver) || amount === undefined) return undefined
  const shown = keys.filter((key) => given[key] !== null).map((key) => [key, shownText(String(given[key]))])
  return { kind, amount, to: receiver, args: Object.fromEntries(shown) }
}

function amountOf(text: string): bigint | undefined {
  if (!amountText.test(text)) return undefined
  const amount = BigInt(text)
  return amount > u128Max ? undefined : amount
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'string' || Number.isSafeInteger(value)
}
