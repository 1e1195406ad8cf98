import { randomUUID } from 'node:crypto'
import type { Sql } from '@symbolon/server/pool'
import { settle } from './settle.ts'

/**
 * Fills an empty database with one organization of `count` wallets and answers its id: two thirds secp256k1, every
 * second such owner also ed25519, 3 % archived, addresses, block counts and counters exact. Shares are random bytes of
 * their real length: nothing here signs. Made by the server from number series, in one transaction.
 */
export async function fillWallets(sql: Sql, count: number): Promise<{ organizationId: string }> {
  const organizationId = randomUUID()
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    // Foreign keys hold by construction; checking a million of them takes longer than making them.
    await tx`set local session_replication_role = replica`
    const ringId = 'v'.repeat(43)
    await tx`insert into enclave_rings (id) values (${ringId}) on conflict do nothing`
    await tx`insert into organizations (id, name, slug, signing_mode, supported_networks)
      values (${organizationId}, 'Volume', ${organizationId}, 'tee', '{evm,solana}')`
    // Wallets 3k and 3k + 1 belong to new owners, 3k + 2 is the second curve of the first of them.
    await tx`insert into identities (id, organization_id, auth_provider, provider_user_id, email)
      select uuidv7((i - ${count}::integer) * interval '1 second'), ${organizationId}, 'service', 'user' || i,
        'user' || i || '@example.test'
      from generate_series(1, ${2 * Math.ceil(count / 3)}::integer) i`
    await tx`
      insert into wallets (id, organization_id, user_identity_id, curve, chain_type, account_type, address, addresses,
          public_key, status, signing_mode, share_a, share_b, ring_id, key_version_a, key_version_b, org_seq, created_at,
          updated_at, archived_at)
        select uuidv7((w.seq - ${count}::bigint) * interval '1 second'), ${organizationId}, i.id,
          case when w.is_second then 'ed25519' else 'secp256k1' end,
          case when w.is_second then 'solana' else 'evm' end, 'eoa', w.addresses->>(case when w.is_second then 'solana' else 'evm' end),
          w.addresses, sha256(w.seq::text::bytea), case when w.is_archived then 'archived' else 'active' end, 'tee',
          sha512(w.seq::text::bytea) || sha512(w.seq::text::bytea), sha512(w.seq::text::bytea) || sha512(w.seq::text::bytea),
          ${ringId}, 1, 1, w.seq, w.at, w.at, case when w.is_archived then w.at end
        from (
          select seq, seq % 3 = 2 as is_second, 2 * (seq / 3) + 1 + (seq % 3 = 1)::integer as owner,
            abs(hashint8(seq)) % 100 < 3 as is_archived, now() - (${count}::bigint - seq) * interval '1 second' as at,
            case when seq % 3 = 2
              then jsonb_build_object('solana', 'so' || md5(seq || 'so'), 'near', md5(seq || 'ne') || md5(seq || 'ne'),
                'aptos', '0x' || md5(seq || 'ap') || md5(seq || 'ap'), 'stellar', 'G' || md5(seq || 'st') || md5(seq || 'st'))
              else jsonb_build_object('evm', '0x' || md5(seq || 'ev'), 'bitcoin', 'bc1q' || md5(seq || 'bc'),
                'bitcoin_taproot', 'bc1p' || md5(seq || 'bp'), 'bitcoin_testnet', 'tb1q' || md5(seq || 'tb'),
                'tron', 'T' || md5(seq || 'tr'), 'cosmos', 'cosmos1' || md5(seq || 'co'), 'osmosis', 'osmo1' || md5(seq || 'co'))
              end as addresses
          from generate_series(1, ${count}::bigint) seq) w
        join (select id, row_number() over (order by id) as owner from identities where organization_id = ${organizationId}) i
          on i.owner = w.owner
        order by w.seq`
    await tx`
      insert into wallet_addresses
        select w.organization_id, a.value, w.id from wallets w, jsonb_each_text(w.addresses) a
        where w.organization_id = ${organizationId} order by a.value`
    await tx`
      insert into wallet_blocks
        select organization_id, org_seq / 2048,
          count(*) filter (where curve = 'secp256k1' and status = 'active'),
          count(*) filter (where curve = 'secp256k1' and status = 'archived'),
          count(*) filter (where curve = 'ed25519' and status = 'active'),
          count(*) filter (where curve = 'ed25519' and status = 'archived')
        from wallets where organization_id = ${organizationId} group by 1, 2 order by 2`
    await tx`insert into organization_counters (organization_id, wallets) values (${organizationId}, ${count})`
  })
  await settle(
    sql,
    'organizations, organization_counters, identities, wallets, wallet_addresses, wallet_blocks',
  )
  return { organizationId }
}
