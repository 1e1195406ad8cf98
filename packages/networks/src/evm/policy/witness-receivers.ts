import { fromHex0x } from '../../codec/hex.ts'
import { checksumAddress, parseAddress } from '../address.ts'
import { isWitnessed } from '../permits.ts'
import type { TypedData } from '../typed-data.ts'
import { parseInteger } from '../typed-data-atomic.ts'
import type { StructTypes } from '../typed-data-types.ts'
import type { JsonObject } from '../typed-data-value.ts'

type Receivers = Set<string | null>

// Which token, and by which word it is called.
const side = '(?:in|out|input|output|from|to|buy|sell|base|quote|maker|taker|source|src|destination|dst|fee)'
const token = `${side}?(?:token|asset|currency|coin)(?:in|out|a|b|0|1)?(?:address)?`
// The contracts of an order, and who signs or fills it.
const party =
  '(?:exclusive)?(?:reactor|swapper|filler|cosigner|resolver|settler|spender|exchange|validator|verifier)'
const contract = '(?:additional)?(?:validation|verifying)contract'
/**
 * Names of addresses in a witness that get nothing, whole: `tokenRecipient` is who is paid. Protocols call receivers by many names, so any
 * other address may be one.
 */
const otherName = new RegExp(`^_?(?:${token}|${party}|${contract})$`, 'i')
/** Numbers of any size that name nobody, whole as well; amounts and times are smaller, and nobody finds an address that small. */
const numberName = /^_?(?:nonce|salt|deadline|expiry|expiration|chainid)$/i
const amountMax = 2n ** 96n
/** Words of names that say who gets something, and such that make an amount, a chain or a time of it. */
const receiverWord =
  /(?:^|_)(?:to|receivers?|recipients?|destinations?|dest|dst|targets?|beneficiary|beneficiaries|payees?|claimants?|claimers?|accounts?|owners?|holders?|users?|wallets?|who)(?:_|$)/
const otherWord =
  /(?:^|_)(?:amounts?|value|chains?|chainid|domain|eid|network|fees?|bps|time|deadline|nonce)(?:_|$)/

/**
 * Who gets what the spender of a Permit2 transfer makes of the tokens, as its witness says: its addresses, and null, which is anybody, where
 * it has what nobody reads: bytes, texts, numbers that are longer than amounts or called like a receiver. The zero address is nobody. Empty
 * for typed data without one.
 */
export function witnessReceivers({ primaryType, types, message }: TypedData): Receivers {
  const found: Receivers = new Set()
  const witness = isWitnessed({ primaryType, types }) ? types.get(primaryType)?.at(-1) : undefined
  // A bare address is no member of an order: nothing says that it is another one.
  const name = witness?.base === 'address' ? '' : (witness?.name ?? '')
  if (witness !== undefined) readMember(types, { ...witness, name }, message[witness.name], found)
  return found
}

function readMember(
  types: StructTypes,
  { name, base }: { name: string; base: string },
  value: unknown,
  found: Receivers,
): void {
  // No list of addresses is the one token or filler of an order.
  const called = base === 'address' && Array.isArray(value) ? '' : name
  for (const one of [value].flat(32)) {
    const fields = types.get(base)
    if (fields === undefined) readAtom(called, base, one, found)
    else for (const field of fields) readMember(types, field, (one as JsonObject)[field.name], found)
  }
}

function readAtom(name: string, type: string, value: unknown, found: Receivers): void {
  if (type === 'address') {
    const address = typeof value === 'string' ? parseAddress(value) : undefined
    if (!otherName.test(name) && address?.some((byte) => byte !== 0)) found.add(checksumAddress(address))
  } else if (!isHarmless(name, type, value)) found.add(null)
}

function isHarmless(name: string, type: string, value: unknown): boolean {
  if (type === 'string') return value === ''
  if (type === 'bool') return true
  if (!type.startsWith('bytes'))
    return numberName.test(name) || (!isReceiver(name) && isAmount(parseInteger(value)))
  const bytes = typeof value === 'string' ? fromHex0x(value, true) : undefined
  return bytes?.every((byte) => byte === 0) === true
}

/** Whether a name says who gets something: a number may name an account of a protocol, by its index or in a short form. */
function isReceiver(name: string): boolean {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
  return receiverWord.test(words) && !otherWord.test(words)
}

const isAmount = (value: bigint): boolean => value > -amountMax && value < amountMax
