import { checksumAddress, parseAddress } from '@symbolon/networks'
import type { Hex } from '@symbolon/networks/evm'
import * as z from 'zod'

/** A quantity as `bigint`: 0x hex of up to 32 bytes. Leading zeros pass, some nodes send them. */
export const Quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt)

/** Whole bytes in lower-case 0x hex. */
export const Data = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase() as Hex)

/** 32 bytes in lower-case 0x hex. */
export const Hash = Data.refine((data) => data.length === 66)

/** An address in EIP-55. */
export const Address = z.string().transform((text, context) => {
  const bytes = parseAddress(text.toLowerCase())
  if (bytes !== undefined) return checksumAddress(bytes)
  context.addIssue('an address')
  return z.NEVER
})

/** A whole number as bundlers send them: 0x hex, decimal text or a JSON number. */
export const LooseQuantity = z.union([
  Quantity,
  z
    .string()
    .regex(/^\d{1,78}$/)
    .transform(BigInt),
  z.int().min(0).transform(BigInt),
])

/** A quantity in canonical 0x hex. */
export const quantityHex = (value: bigint): Hex => `0x${value.toString(16)}`
