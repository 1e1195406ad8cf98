import type { policyFields } from '@symbolon/policy/fields'
import type { AgentPolicy, OrganizationRules } from '@symbolon/sdk/portal'
import { isAmount } from './units.ts'

/** A field of the table. */
export type PolicyField = (typeof policyFields)[number]

/** A token in the editor; an empty text means no cap. */
export type TokenDraft = { key: number; chain: string; token: string; max_per_tx: string; max_total: string }

/** A contract in the editor; `selectors` as typed, empty for all methods. */
export type ContractDraft = { key: number; chain: string; address: string; selectors: string }

/** A time as typed, and the time before editing: the field cannot hold its milliseconds. */
export type TimeDraft = { text: string; before: string | undefined }

/**
 * A field in the editor. Amounts are texts in the smallest unit, empty for no limit. An `undefined` list sets no limit, an empty one
 * allows nothing. Of an amount with a choice, `undefined` means no limit and empty means not filled in yet.
 */
export type DraftOf<field extends PolicyField> = {
  amount: field extends { choice: object } ? string | undefined : string
  count: string
  expiry: TimeDraft
  flag: boolean
  mode: field extends { words: infer words } ? keyof words : never
  'allow-list': field extends { items: 'chain' } ? string[] | undefined : string | undefined
  'method-list': NonNullable<AgentPolicy['allowed_methods']>
  'deny-list': field extends { items: 'chain' } ? string[] : string
  'token-list': TokenDraft[] | undefined
  'contract-list': ContractDraft[] | undefined
  'domain-list': string | undefined
  'asset-caps': string
}[field['kind']]

/** Every field of the table in the editor, by name. */
export type FieldsDraft = { [field in PolicyField as field['name']]: DraftOf<field> }

/** A policy in the editor. */
export type PolicyDraft = Pick<FieldsDraft, keyof AgentPolicy>

/** The rules of an organization in the editor. */
export type RulesDraft = Pick<FieldsDraft, keyof OrganizationRules>

/** What a draft stands for: a value of the API, none, or not a valid value yet. */
export type Said<value> = { value: value } | 'nothing' | 'wrong'

/** Converts values of a kind to drafts and back. */
export type DraftKind<value, draft> = {
  draftOf(value: value | undefined): draft
  valueOf(draft: draft): Said<value>
}

type Tokens = NonNullable<AgentPolicy['allowed_tokens']>
type Contracts = NonNullable<AgentPolicy['allowed_contracts']>
type AssetCaps = NonNullable<AgentPolicy['max_spend_total']>

/** The conversion for a field. */
export function draftKind(field: PolicyField): DraftKind<unknown, unknown> {
  switch (field.kind) {
    case 'amount':
      return 'choice' in field ? chosenAmount : amount
    case 'count':
      return count
    case 'expiry':
      return expiry
    case 'flag':
      return always(false)
    case 'mode':
      return always<string>(field.default)
    case 'method-list':
      return ticked(Object.keys(field.words))
    case 'allow-list':
      return field.items === 'chain' ? maybe : accounts
    case 'deny-list':
      return field.items === 'chain' ? deniedChains : deniedAccounts
    case 'token-list':
      return tokens
    case 'contract-list':
      return contracts
    case 'domain-list':
      return accounts
    case 'asset-caps':
      return assetCaps
  }
}

/** The words of a text, separated by whitespace or commas. */
export const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')

/** The rows with another one at the end, under a new `key`. */
export const withNewRow = <row extends { key: number }>(
  rows: readonly row[],
  row: Omit<row, 'key'>,
): row[] => [...rows, { ...row, key: Math.max(0, ...rows.map(({ key }) => key)) + 1 } as row]

const given = <value>(value: value | undefined): Said<value> => (value === undefined ? 'nothing' : { value })

const amount: DraftKind<string, string> = {
  draftOf: (value) => value ?? '',
  valueOf: (text) => (text === '' ? 'nothing' : isAmount(text) ? { value: text } : 'wrong'),
}

const chosenAmount: DraftKind<string, string | undefined> = {
  draftOf: (value) => value,
  valueOf: (text) => (text === undefined ? 'nothing' : isAmount(text) ? { value: text } : 'wrong'),
}

const count: DraftKind<number, string> = {
  draftOf: (value) => (value === undefined ? '' : String(value)),
  valueOf: (text) => (text === '' ? 'nothing' : isAmount(text) ? { value: Number(text) } : 'wrong'),
}

const expiry: DraftKind<string, TimeDraft> = {
  draftOf: (value) => ({ text: value === undefined ? '' : localTime(value), before: value }),
  valueOf({ text, before }) {
    if (text === '') return 'nothing'
    const time = new Date(text)
    if (Number.isNaN(time.getTime())) return 'wrong'
    return { value: before !== undefined && localTime(before) === text ? before : time.toISOString() }
  },
}

const always = <value>(fallback: value): DraftKind<value, value> => ({
  draftOf: (value) => value ?? fallback,
  valueOf: given,
})

const maybe: DraftKind<string[], string[] | undefined> = { draftOf: (value) => value, valueOf: given }

const accounts: DraftKind<string[], string | undefined> = {
  draftOf: (value) => value?.join('\n'),
  valueOf: (text) => given(text === undefined ? undefined : wordsOf(text)),
}

const ticked = (words: readonly string[]): DraftKind<string[], string[]> => ({
  draftOf: (value) => value ?? [...words],
  valueOf: (draft) => (words.every((word) => draft.includes(word)) ? 'nothing' : { value: draft }),
})

const deniedChains: DraftKind<string[], string[]> = {
  draftOf: (value) => value ?? [],
  valueOf: (list) => (list.length === 0 ? 'nothing' : { value: list }),
}

const deniedAccounts: DraftKind<string[], string> = {
  draftOf: (value) => value?.join('\n') ?? '',
  valueOf: (text) => deniedChains.valueOf(wordsOf(text)),
}

const tokens: DraftKind<Tokens, TokenDraft[] | undefined> = {
  draftOf: (list) =>
    list?.map(({ chain, token, max_per_tx = '', max_total = '' }, key) => ({
      key,
      chain,
      token,
      max_per_tx,
      max_total,
    })),
  valueOf(rows) {
    const caps = rows?.flatMap(({ max_per_tx, max_total }) => [max_per_tx, max_total]) ?? []
    if (caps.some((text) => text !== '' && !isAmount(text))) return 'wrong'
    return given(
      rows?.map(({ chain, token, max_per_tx, max_total }) => ({
        chain,
        token: token.trim(),
        ...(max_per_tx !== '' && { max_per_tx }),
        ...(max_total !== '' && { max_total }),
      })),
    )
  },
}

const contracts: DraftKind<Contracts, ContractDraft[] | undefined> = {
  draftOf: (list) =>
    list?.map(({ chain, address, selectors }, key) => ({
      key,
      chain,
      address,
      selectors: selectors?.join(' ') ?? '',
    })),
  valueOf: (rows) =>
    given(
      rows?.map(({ chain, address, selectors }) => ({
        chain,
        address: address.trim(),
        ...(wordsOf(selectors).length > 0 && { selectors: wordsOf(selectors) }),
      })),
    ),
}

/** A coin and its limit a line. */
const assetCaps: DraftKind<AssetCaps, string> = {
  draftOf: (caps) => caps?.map(({ asset, max }) => `${asset} ${max}`).join('\n') ?? '',
  valueOf(text) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    const caps = lines.map(wordsOf).map(([asset = '', max = '', ...more]) => ({ asset, max, more }))
    if (caps.some(({ max, more }) => !isAmount(max) || more.length > 0)) return 'wrong'
    return caps.length === 0 ? 'nothing' : { value: caps.map(({ asset, max }) => ({ asset, max })) }
  },
}

/** An RFC 3339 time as a `datetime-local` field takes it: local time, to the minute. */
function localTime(at: string): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}
