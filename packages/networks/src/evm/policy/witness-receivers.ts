import { fromHex0x } from '../../codec/hex.ts'
import { checksumAddress, parseAddress } from '../address.ts'
import { isWitnessed } from '../permits.ts'
import type { TypedData } from '../typed-data.ts'
import { parseInteger } from '../typed-data-atomic.ts'
import type { StructTypes } from '../typed-data-types.ts'
import type { JsonObject } from '../typed-data-value.ts'

type Receivers = Set<string | null>

/**
 * Addresses in a witness that get nothing: tokens, the contracts of an order and who signs or fills it. Any other address may be who is paid:
 * protocols call receivers by many names.
 */
const otherName =
  /token|asset|currency|coin|reactor|swapper|filler|cosigner|validation|validator|verifier|exchange|settler|spender|resolver/i
/** Numbers of any size that name nobody; amounts and times are smaller. */
const numberName = /nonce|salt|deadline|expir|chainid/i
const amountMax = 2n ** 128n

/**
 * Who gets what the spender of a Permit2 transfer makes of the tokens, as its witness says: its addresses, and null, which is anybody, where
 * it has what nobody reads: bytes, texts, numbers that are longer than amounts. The zero address is nobody. Empty for typed data without one.
 */
export function witnessReceivers({ primaryType, types, message }: TypedData): Receivers {
  const found: Receivers = new Set()
  const witness = isWitnessed({ primaryType, types }) ? types.get(primaryType)?.at(-1) : undefined
  if (witness !== undefined) readMember(types, witness, message[witness.name], found)
  return found
}

function readMember(
  types: StructTypes,
  { name, base }: { name: string; base: string },
  value: unknown,
  found: Receivers,
): void {
  for (const one of [value].flat(32)) {
    const fields = types.get(base)
    if (fields === undefined) readAtom(name, base, one, found)
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
  if (!type.startsWith('bytes')) return numberName.test(name) || isAmount(parseInteger(value))
  const bytes = typeof value === 'string' ? fromHex0x(value, true) : undefined
  return bytes?.every((byte) => byte === 0) === true
}

const isAmount = (value: bigint): boolean => value > -amountMax && value < amountMax
