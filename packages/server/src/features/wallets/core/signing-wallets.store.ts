import type { Curve } from '@symbolon/networks'
import type { Queryable } from '../../../db/pool.ts'

/** A TEE wallet with its sealed shares, as a signature needs it. */
export type SigningWallet = {
  id: string
  organizationId: string
  userIdentityId: string
  curve: Curve
  publicKey: Uint8Array
  addresses: Record<string, string>
  status: 'active' | 'archived'
  polynomialVersion: number
  shareA: Uint8Array
  shareB: Uint8Array
}

const columns = `w.id, w.organization_id as "organizationId", w.user_identity_id as "userIdentityId", w.curve,
  w.public_key as "publicKey", w.addresses, w.status, w.polynomial_version as "polynomialVersion",
  w.share_a as "shareA", w.share_b as "shareB"`

/** TEE wallets by id, in the order asked; absent ones and those of client mode are undefined. */
export async function signingWalletsById(
  sql: Queryable,
  ids: string[],
): Promise<(SigningWallet | undefined)[]> {
  const rows = await sql<SigningWallet[]>`
    select ${sql.unsafe(columns)} from wallets w where w.id = any(${ids}::uuid[]) and w.signing_mode = 'tee'`
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
}

/** The id of the user's wallet of a curve. */
export async function walletIdOf(
  sql: Queryable,
  organizationId: string,
  identityId: string,
  curve: Curve,
): Promise<string | undefined> {
  const rows = await sql<{ id: string }[]>`
    select id from wallets
    where organization_id = ${organizationId} and user_identity_id = ${identityId} and curve = ${curve}`
  return rows[0]?.id
}
