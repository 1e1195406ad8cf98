import type { Sql } from '@symbolon/server/pool'
import type { Adapter, AdapterPayload } from 'oidc-provider'

/**
 * Makes the tables that the identity provider keeps its key, sessions, codes and grants in, so that all processes share them,
 * and drops what has expired. Repeatable, and safe from several processes at once.
 */
export async function prepareProviderStore(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('symbolon dev identity provider'))`
    await tx`create schema if not exists dev`
    await tx`create table if not exists dev.identity_key (is_only boolean primary key default true check (is_only), jwk jsonb not null)`
    await tx`
      create table if not exists dev.identity_provider (
        model text not null, id text not null, payload jsonb not null, uid text, user_code text, grant_id text,
        expires_at timestamptz, primary key (model, id))`
    await tx`delete from dev.identity_provider where expires_at < clock_timestamp()`
  })
}

/** One model's rows as `oidc-provider` asks for them. */
export function providerStore(sql: Sql, model: string): Adapter {
  const first = async (rows: Promise<readonly { payload: AdapterPayload }[]>) => (await rows)[0]?.payload
  const living = sql`(expires_at is null or expires_at > clock_timestamp())`
  return {
    async upsert(id, payload, expiresIn) {
      const end = expiresIn === undefined ? null : expiresIn
      await sql`
        insert into dev.identity_provider (model, id, payload, uid, user_code, grant_id, expires_at)
        values (${model}, ${id}, ${sql.json(payload as never)}, ${payload.uid ?? null}, ${payload.userCode ?? null},
          ${payload.grantId ?? null}, clock_timestamp() + ${end} * interval '1 second')
        on conflict (model, id) do update set payload = excluded.payload, uid = excluded.uid,
          user_code = excluded.user_code, grant_id = excluded.grant_id, expires_at = excluded.expires_at`
    },
    find: (id) =>
      first(
        sql`select payload from dev.identity_provider where model = ${model} and id = ${id} and ${living}`,
      ),
    findByUid: (uid) =>
      first(
        sql`select payload from dev.identity_provider where model = ${model} and uid = ${uid} and ${living}`,
      ),
    findByUserCode: (code) =>
      first(
        sql`select payload from dev.identity_provider where model = ${model} and user_code = ${code} and ${living}`,
      ),
    async consume(id) {
      await sql`
        update dev.identity_provider
        set payload = payload || jsonb_build_object('consumed', floor(extract(epoch from clock_timestamp())))
        where model = ${model} and id = ${id}`
    },
    async destroy(id) {
      await sql`delete from dev.identity_provider where model = ${model} and id = ${id}`
    },
    async revokeByGrantId(grantId) {
      await sql`delete from dev.identity_provider where grant_id = ${grantId}`
    },
  }
}
