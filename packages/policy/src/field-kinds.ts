import { least } from './bound.ts'
import {
  assetCapsToJson,
  contractsToJson,
  readAssetCaps,
  readContract,
  readToken,
  tokensToJson,
} from './entries-json.ts'
import {
  intersectCaps,
  intersectContracts,
  intersectTexts,
  intersectTokens,
  unionTexts,
} from './intersect-lists.ts'
import {
  integerOf,
  listOf,
  type Read,
  readAmount,
  readFlag,
  readTimestamp,
  textOf,
  wordOf,
} from './json-fields.ts'
import type { PolicyFieldRow } from './policy-field-row.ts'
import { chainGroup, type PolicyNames } from './policy-names.ts'

/** What an intersection of values has to know: when two texts name the same, and what the field's deny-list blocks. */
export type IntersectContext = { readonly names: PolicyNames; readonly blocked: readonly string[] }

/** How fields of a kind are read, intersected over layers and shown; `absent` is the value of a field that is not there. */
export type FieldKind<value> = {
  readonly absent: value
  read: Read<value>
  intersect(values: readonly value[], context: IntersectContext): value
  toJson(value: value): unknown
}

/** The kind of a field. */
export function kindOf(row: PolicyFieldRow): FieldKind<unknown> {
  switch (row.kind) {
    case 'amount':
      return number(readAmount, String)
    case 'count':
      return number(integerOf(row.min, row.max), Number)
    case 'expiry':
      return number(readTimestamp, (timeMs) => new Date(timeMs).toISOString())
    case 'flag':
      return kind<boolean>(false, readFlag, (values) => values.every(Boolean))
    case 'mode':
      return mode(Object.keys(row.words), row.default)
    case 'allow-list':
      return allowList(listOf(items[row.items].read, row.itemsMax), items[row.items].keysOf)
    case 'method-list':
      return allowList(listOf(wordOf(Object.keys(row.words)), Object.keys(row.words).length), (word) => [
        word,
      ])
    case 'deny-list':
      return kind<readonly string[]>([], listOf(items[row.items].read, row.itemsMax), unionTexts)
    case 'token-list':
      return {
        ...entryList(listOf(readToken, row.itemsMax), intersectTokens),
        toJson: tokensToJson,
      }
    case 'domain-list':
      return allowList(listOf(textOf(256), row.itemsMax), (text) => [text.toLowerCase()])
    case 'asset-caps':
      return {
        absent: null,
        read: readAssetCaps(row.itemsMax),
        intersect: intersectCaps as FieldKind<unknown>['intersect'],
        toJson: assetCapsToJson as FieldKind<unknown>['toJson'],
      }
    case 'contract-list':
      return {
        ...entryList(listOf(readContract, row.itemsMax), intersectContracts),
        toJson: contractsToJson,
      }
  }
}

const items = {
  chain: {
    read: textOf(64),
    keysOf: (handle: string, names: PolicyNames) => [chainGroup(handle, names)] as const,
  },
  account: { read: textOf(256), keysOf: (text: string, names: PolicyNames) => names.recipientKeys(text) },
}

function kind<value>(
  absent: value,
  read: Read<value>,
  intersect: FieldKind<value>['intersect'],
): FieldKind<value> {
  return { absent, read, intersect, toJson: (value) => value }
}

/** A number of which the least holds; null is none. */
function number<value extends bigint | number>(
  read: Read<value>,
  toJson: (value: value) => unknown,
): FieldKind<value | null> {
  return {
    absent: null,
    read,
    intersect: least,
    toJson: (value) => (value === null ? null : toJson(value)),
  }
}

/** One of some words, the strictest first. */
function mode(words: readonly string[], fallback: string): FieldKind<string> {
  return kind(fallback, wordOf(words), (values) => words.find((word) => values.includes(word)) ?? fallback)
}

function allowList(
  read: Read<readonly string[]>,
  keysOf: (text: string, names: PolicyNames) => readonly [string, ...string[]],
): FieldKind<readonly string[] | null> {
  return kind<readonly string[] | null>(null, read, (lists, { names, blocked }) =>
    intersectTexts(lists, (text) => keysOf(text, names), blocked),
  )
}

function entryList<entry>(
  read: Read<readonly entry[]>,
  intersect: (lists: readonly (readonly entry[] | null)[], names: PolicyNames) => readonly entry[] | null,
): FieldKind<readonly entry[] | null> {
  return kind<readonly entry[] | null>(null, read, (lists, { names }) => intersect(lists, names))
}
