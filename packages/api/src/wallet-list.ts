import * as z from 'zod'
import { ErrorObject } from './envelope.ts'
import { Curve, Email, Id } from './formats.ts'
import { WalletStatus, WalletWithIdentity } from './wallet.ts'

/** A whole number of a query string, from `min` to `max`. */
export const wholeNumber = (min: number, max: number) => {
  const wants =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number of at least ${min}`
      : `must be between ${min} and ${max}`
  return z
    .string()
    .regex(/^(0|[1-9][0-9]*)$/, wants)
    .transform(Number)
    .pipe(z.int({ error: wants, abort: true }).min(min, wants).max(max, wants))
}

/** Page of a list: out of range is refused, never clamped. An offset behind the end is an empty page, whatever JSON's numbers hold. */
export const page = {
  limit: wholeNumber(1, 200).default(50),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
}

/** Page and filters of the S2S wallet list; all filters given have to hold. */
export const ListWallets = z.strictObject({
  ...page,
  status: WalletStatus.exactOptional(),
  curve: Curve.exactOptional(),
  user_identity_id: Id.exactOptional(),
  email: Email.exactOptional(),
  address: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[\x21-\x7e]+$/, 'must be an address')
    .exactOptional()
    .meta({ description: 'Any address of a wallet.' }),
})

/** One page of wallets, newest first; `total` counts all that the filters let through, exactly. */
export const WalletPage = z
  .strictObject({
    items: z.array(WalletWithIdentity),
    total: z.int().min(0),
    limit: z.int(),
    offset: z.int(),
  })
  .meta({ id: 'WalletPage' })

/** The result of one item of a batch, in the order of the request: the answer it would have had alone. */
export const BatchResult = z
  .strictObject({
    status: z.int().meta({ description: 'The HTTP status of the item on its own.' }),
    data: WalletWithIdentity.nullable(),
    error: ErrorObject.nullable(),
  })
  .meta({ id: 'BatchResult' })

/** The results of a batch. */
export const BatchResults = z.strictObject({ items: z.array(BatchResult) }).meta({ id: 'BatchResults' })
