import * as z from 'zod'
import { DisplayName, GivenTimestamp, Id, IpRange, Timestamp } from './formats.ts'

const Type = z.enum(['publishable', 'secret'])
const Scope = z.enum(['full', 'read'])

const shape = {
  id: Id,
  name: z.string(),
  type: Type,
  scope: Scope.nullable().meta({ description: 'For secret keys only.' }),
  hint: z.string().meta({ description: 'Prefix and last four characters of the key.' }),
  ip_allowlist: z.array(z.string()),
  expires_at: Timestamp.nullable(),
  revoked_at: Timestamp.nullable(),
  created_at: Timestamp,
}

/** An API key without its text. */
export const ApiKey = z.strictObject(shape).meta({ id: 'ApiKey' })

/** The API key as the API returns it. */
export type ApiKey = z.output<typeof ApiKey>

/** A new API key with its text, which is returned only here. */
export const MintedApiKey = z.strictObject({ ...shape, key: z.string() }).meta({ id: 'MintedApiKey' })

/** All keys that work and the newest of those that have ended, newest first. */
export const ApiKeys = z.strictObject({ items: z.array(ApiKey) }).meta({ id: 'ApiKeys' })

/** A key to mint. `scope` and `ip_allowlist` are for secret keys; a secret key without scope is `full`. */
export const MintApiKey = z
  .strictObject({
    name: DisplayName,
    type: Type,
    scope: Scope.exactOptional(),
    ip_allowlist: z.array(IpRange).max(100).default([]),
    expires_at: GivenTimestamp.exactOptional(),
  })
  .refine(
    ({ type, scope, ip_allowlist }) =>
      type === 'secret' || (scope === undefined && ip_allowlist.length === 0),
    {
      path: ['scope'],
      message: 'is for secret keys, and so is `ip_allowlist`',
    },
  )

/** How long the replaced key goes on beside the new one. */
export const RotateApiKey = z.strictObject({ grace_seconds: z.int().min(0).max(604_800).default(0) })
