import * as z from 'zod'
import { Email, Timestamp } from './formats.ts'
import { Owner } from './identity.ts'
import { page } from './wallet-list.ts'

/** An end user as the portal lists them. */
export const EndUser = z
  .strictObject({
    ...Owner.shape,
    wallets: z.int().min(0).meta({ description: 'The number of wallets, archived ones included.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'EndUser' })

/** The end user as the API returns it. */
export type EndUser = z.output<typeof EndUser>

/** Page and filter of the list of users. */
export const ListEndUsers = z.strictObject({ ...page, email: Email.exactOptional() })

/** One page of users, newest first; `total` counts all that the filter lets through, exactly. */
export const EndUserPage = z
  .strictObject({
    items: z.array(EndUser),
    total: z.int().min(0),
    limit: z.int(),
    offset: z.int(),
  })
  .meta({ id: 'EndUserPage' })
