import type { Queryable } from '@symbolon/server/pool'
import { seedOrganization, testIds } from './seed-organization.ts'

/** Inserts a client-mode organization with one wallet. Returns the organization's id. */
export async function seedClientWallet(sql: Queryable): Promise<string> {
  const { id } = await seedOrganization(sql)
  await sql`update organizations set signing_mode = 'client' where id = ${id}`
  const identityId = testIds.next()
  await sql`insert into identities (id, organization_id, auth_provider, provider_user_id)
    values (${identityId}, ${id}, 'service', 'a')`
  await sql`insert into wallets (id, organization_id, user_identity_id, curve, chain_type, account_type, address, addresses,
      public_key, signing_mode, org_seq)
    values (${testIds.next()}, ${id}, ${identityId}, 'secp256k1', 'evm', 'eoa', '0x', '{}', '', 'client', 1)`
  return id
}
