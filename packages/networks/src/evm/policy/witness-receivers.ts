import { fromHex0x } from '../../codec/hex.ts'
import { checksumAddress, parseAddress } from '../address.ts'
import { isWitnessed } from '../permits.ts'
import type { TypedData } from '../typed-data.ts'
import type { StructTypes } from '../typed-data-types.ts'
import type { JsonObject } from '../typed-data-value.ts'

type Receivers = Set<string | null>

/** What orders call those who get something: `recipient` of UniswapX, `refundTo` and `nftRecipient` of Relay, and their like. */
const receiverName =
  /^(?:to|dst|dest|destination|account|owner|user)$|recipient|receiver|beneficiary|payee|refund/i

/**
 * Who gets what the spender of a Permit2 transfer makes of the tokens, as its witness says: the addresses of members that are named so, and
 * null, which is anybody, where the witness has bytes that nobody reads. The zero address is nobody. Empty for typed data without one.
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
    if (receiverName.test(name) && address?.some((byte) => byte !== 0)) found.add(checksumAddress(address))
  } else if (type.startsWith('bytes')) {
    const bytes = typeof value === 'string' ? fromHex0x(value, true) : undefined
    if (bytes?.some((byte) => byte !== 0) !== false) found.add(null)
  }
}
