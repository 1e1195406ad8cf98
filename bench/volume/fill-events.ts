import { randomUUID } from 'node:crypto'
import { auditEventTypes } from '@symbolon/api'
import type { Sql } from '@symbolon/server/pool'
import { settle } from './settle.ts'

/** Events of one pattern: the log repeats it, so that every rank follows from its number without sorting the whole. */
const patternLength = 1_000

/**
 * Fills an empty database with one organization of `count` audit events (rounded down to thousands) and answers its id:
 * all types, signatures above all, 8 % failed, four dense ranks each, counters exact.
 */
export async function fillEvents(
  sql: Sql,
  count: number,
): Promise<{ organizationId: string; count: number }> {
  const organizationId = randomUUID()
  const rounds = Math.floor(count / patternLength)
  const made = rounds * patternLength
  const typeCount = auditEventTypes.length
  const signed = auditEventTypes.indexOf('wallet.signed')
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`insert into organizations (id, name, slug, signing_mode, supported_networks)
      values (${organizationId}, 'Volume', ${organizationId}, 'tee', '{evm,solana}')`
    await tx`
      create temporary table pattern on commit drop as
        select place, type, success, gen_random_uuid() as wallet, gen_random_uuid() as owner,
          row_number() over (partition by type order by place) as r_type,
          row_number() over (partition by success order by place) as r_success,
          row_number() over (partition by type, success order by place) as r_both,
          count(*) over (partition by type) as n_type,
          count(*) over (partition by success) as n_success,
          count(*) over (partition by type, success) as n_both
        from (
          select place,
            case when abs(hashint4(place)) % 10 < 7 then ${signed}::integer else abs(hashint4(place + 7)) % ${typeCount}::integer end
              as type,
            abs(hashint4(place + 13)) % 100 >= 8 as success
          from generate_series(1, ${patternLength}::integer) place) p`
    await tx`analyze pattern`
    await tx`
      insert into audit_events (organization_id, n, n_type, n_success, n_type_success, type, success, id, at, user_identity_id,
          wallet_id, actor_type, actor_id, payload, error_code)
        select ${organizationId}, n, round * p.n_type + p.r_type, round * p.n_success + p.r_success, round * p.n_both + p.r_both,
          p.type, p.success, uuidv7((n - ${made}::bigint) * interval '1 second'), now() + (n - ${made}::bigint) * interval '1 second',
          p.owner, p.wallet, 'api_key', 'backend', '{"kind": "message", "chain": "ethereum", "digest": "volume"}',
          case when p.success then '' else 'wallet_archived' end
        from (select n, (n - 1) / ${patternLength}::bigint as round, (n - 1) % ${patternLength}::bigint + 1 as place
          from generate_series(1, ${made}::bigint) n) s
        join pattern p using (place)`
    await tx`
      insert into organization_counters (organization_id, events, events_succeeded, events_by_type)
        select ${organizationId}, count(*) * ${rounds}::bigint, count(*) filter (where success) * ${rounds}::bigint,
          (select array_agg(${rounds}::bigint * (select count(*) from pattern p where p.type = slot / 2 and p.success = (slot % 2 = 1))
             order by slot) from generate_series(0, ${2 * typeCount - 1}::integer) slot)
        from pattern`
  })
  await settle(sql, 'organizations, organization_counters, audit_events')
  return { organizationId, count: made }
}
