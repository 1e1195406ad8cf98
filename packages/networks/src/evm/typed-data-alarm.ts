import { entryPoint } from './entry-point.ts'
import { knownTokens } from './known-tokens.ts'
import { permit2Address } from './permit2.ts'
import { seaportContracts } from './seaport-contracts.ts'
import type { TypedData } from './typed-data.ts'
import type { ReadField } from './typed-data-types.ts'
import type { JsonObject } from './typed-data-value.ts'

/** Words in the name of a type that gives something away, lets somebody act, or changes who has control. */
const typeWords = wordSet(
  'admin agent allow allowance approval approve ask authorization authorize batch bid borrow burn buy call cancel delegate delegation',
  'deposit execute execution forward grant intent invoke lend listing loan meta mint offer op operation operator order owner ownership',
  'key pay payment permission permit quote redeem relay revoke role root safe sale sell send signer stake swap trade transaction',
  'transfer tx unstake upgrade userop witness withdraw withdrawal',
)
/** Words in the name of a member that names who may act, or what is moved. */
const powerWords = wordSet(
  'agent allowance allowed approval approved authority buyer controller delegate delegatee delegation delegator grantee guardian maker',
  'manager offerer operator permission permitted seller signer spender taker',
)
/** The same for members that are not text: a `token` that is text may belong to a login. */
const assetWords = wordSet('asset coin collateral collection currency mint nft owner token')
const amountWords = wordSet(
  'amount ask balance bid cost deposit fee max maximum min minimum price principal quantity share size sum total usd value wad wei worth',
)
/** What stands for something that is not shown. */
const digestWords = wordSet('calldata digest hash root')

/** The address by which exchanges name the native asset. */
const nativePlaceholder = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/** Contracts that move assets by signatures, and every token of the platform on any chain; lower case. */
const assetAddresses: ReadonlySet<string> = new Set(
  [
    nativePlaceholder,
    permit2Address,
    entryPoint,
    ...seaportContracts,
    ...Object.values(knownTokens).flatMap(Object.keys),
  ].map((one) => one.toLowerCase()),
)

const address = /0x[0-9a-f]{40}(?![0-9a-f])/g
const decimalText = /^-?[0-9]+(?:\.[0-9]+)?$/
/** The largest numbers of the usual sizes, which stand for "all of it". */
const everything = new Set([96n, 128n, 160n, 256n].map((bits) => 2n ** bits - 1n))

/** Values, names included, and characters of a name: nobody reads more, so more is an alarm and is not looked at. */
const valuesMax = 256
const nameLengthMax = 64

/** What the names on the way to a value say. */
type Marks = {
  readonly power: boolean
  readonly asset: boolean
  readonly amount: boolean
  readonly digest: boolean
}
type Leaf = { readonly marks: Marks; readonly type: string; readonly value: unknown }

const unmarked: Marks = { power: false, asset: false, amount: false, digest: false }

/**
 * Whether typed data that no decoder knows is of a dangerous shape, or names what the wallet has: then a person is warned loudly. Names, types
 * and values all count, in every struct that the message uses, and doubt is an alarm: calm are logins, votes, mails and the like. `own`: the
 * wallet's accounts. The rule in words: docs/decisions/0007.
 */
export function isAlarming(typed: TypedData, own: readonly string[]): boolean {
  const { primaryType, types, domain, message } = typed
  const used = usedTypes(primaryType, types)
  if ([...used].some(isDangerousType)) return true
  const contract = String(domain['verifyingContract']).toLowerCase()
  if (assetAddresses.has(contract) || own.some((one) => one.toLowerCase() === contract)) return true
  const named = JSON.stringify(message).toLowerCase().match(address) ?? []
  if (named.some((one) => assetAddresses.has(one))) return true
  const budget = { left: valuesMax }
  const leaves = [...leavesOf(message, types.get(primaryType) ?? [], types, budget)]
  if (budget.left < 0 || leaves.some(isDangerous)) return true
  return named.length > 0 && leaves.some(isAmount)
}

/** The struct types that a message is made of. */
function usedTypes(primaryType: string, types: TypedData['types']): ReadonlySet<string> {
  const used = new Set<string>()
  const open = [primaryType]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue
    used.add(name)
    for (const { base } of types.get(name) ?? []) if (types.has(base)) open.push(base)
  }
  return used
}

/** By what stands behind the last colon: before it, an application names itself. */
function isDangerousType(name: string): boolean {
  return name.length > nameLengthMax || wordsOf(name.slice(name.lastIndexOf(':') + 1)).some(isOf(typeWords))
}

/** Every value that is no struct, with what the names on the path to it say. */
function* leavesOf(
  message: JsonObject,
  fields: readonly ReadField[],
  types: TypedData['types'],
  budget: { left: number },
  above = unmarked,
): Generator<Leaf> {
  for (const { name, base } of fields) {
    if (--budget.left < 0) return
    const marks = marked(above, name)
    const inner = types.get(base)
    const values = [message[name]].flat(32)
    // An empty list says what it could hold.
    if (values.length === 0) yield { marks, type: base, value: undefined }
    for (const value of values) {
      if (--budget.left < 0) return
      if (inner === undefined) yield { marks, type: base, value }
      else yield* leavesOf(value as JsonObject, inner, types, budget, marks)
    }
  }
}

/** A name too long to be read says the worst. */
function marked(above: Marks, name: string): Marks {
  const words = name.length > nameLengthMax ? ['operator'] : wordsOf(name)
  return {
    power: above.power || words.some(isOf(powerWords)),
    asset: above.asset || words.some(isOf(assetWords)),
    amount: above.amount || words.some(isOf(amountWords)),
    digest: above.digest || words.some(isOf(digestWords)),
  }
}

function isDangerous({ marks, type, value }: Leaf): boolean {
  if (marks.power || (marks.asset && type !== 'string' && type !== 'bool')) return true
  if (type === 'bytes') return value !== '0x'
  return type.startsWith('bytes') ? marks.digest : isInteger(type) && isEverything(value)
}

function isAmount({ marks, type, value }: Leaf): boolean {
  return marks.amount && (isInteger(type) || (typeof value === 'string' && decimalText.test(value)))
}

function isInteger(type: string): boolean {
  return type.startsWith('uint') || type.startsWith('int')
}

function isEverything(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && everything.has(BigInt(value))
}

/** The words of a name in camel case or with underscores, in lower case and singular. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map(singular)
    .filter((word) => word !== '')
}

function singular(word: string): string {
  const lower = word.toLowerCase()
  return lower.endsWith('s') && !lower.endsWith('ss') ? lower.slice(0, -1) : lower
}

function isOf(words: ReadonlySet<string>): (word: string) => boolean {
  return (word) => words.has(word)
}

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '))
}
