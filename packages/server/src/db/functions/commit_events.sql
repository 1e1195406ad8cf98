-- Appends a batch of events and releases what waits for them, all or nothing. Everything comes as array literals, one element
-- per event or per guard, in one text with the unit separator between them: parsing that costs a fraction of what JSON does,
-- and one parameter a fraction of what thirty do.
--   organizations   those of the batch; `event_organization` and `sum_organization` are positions in it, from 1
--   sum_…           what the batch adds: how many events of a type and outcome
--   event_…         rank… are ranks within the batch (over all, type, outcome, both), from 1: added to the counters they are dense
--   guard_…         what must hold, with the event's position: wallets active, keys alive, tokens neither logged out nor past,
--                   and at least so many missed events for a gap event to tell
-- Answers one row per broken guard (then nothing was written), and position -1 for each organization that owes a gap event.
-- The counter row is locked first and each later statement sees what was committed until then: whoever archives, revokes
-- or logs out takes the same lock, so no answer passes behind theirs.
-- Plans as in `admit_keys`; the trigger that counts usage is planned under the same settings.
create or replace function commit_events(columns text) returns table (i integer, reason text) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  part text[] := string_to_array(columns, E'\x1f');
  organizations uuid[] := part[1];
  sum_organization integer[] := part[2];
  sum_type integer[] := part[3];
  sum_success boolean[] := part[4];
  sum_count bigint[] := part[5];
  event_organization integer[] := part[6];
  event_rank bigint[] := part[7];
  event_rank_type bigint[] := part[8];
  event_rank_success bigint[] := part[9];
  event_rank_type_success bigint[] := part[10];
  event_type smallint[] := part[11];
  event_success boolean[] := part[12];
  event_id uuid[] := part[13];
  event_identity uuid[] := part[14];
  event_wallet uuid[] := part[15];
  event_actor_type text[] := part[16];
  event_actor_id text[] := part[17];
  event_payload text[] := part[18];
  event_error_code text[] := part[19];
  guard_wallet_position integer[] := part[20];
  guard_wallet uuid[] := part[21];
  guard_key_position integer[] := part[22];
  guard_key uuid[] := part[23];
  guard_token_position integer[] := part[24];
  guard_token_organization uuid[] := part[25];
  guard_token bytea[] := part[26];
  guard_token_expiry timestamptz[] := part[27];
  guard_gap_position integer[] := part[28];
  guard_gap_organization uuid[] := part[29];
  guard_gap bigint[] := part[30];
  at_now timestamptz;
  owes boolean;
  is_owing boolean := false;
  is_broken boolean := false;
begin
  for owes in
    select c.events_missed > 0 from organization_counters c
    where c.organization_id = any(organizations) order by c.organization_id for update
  loop
    is_owing := is_owing or owes;
  end loop;
  at_now := date_trunc('milliseconds', app_now());

  return query
    select g.position, case when w.status = 'archived' then 'wallet_archived' else 'not_found' end
    from unnest(guard_wallet_position, guard_wallet) g(position, id)
    left join lateral (select status from wallets where wallets.id = g.id offset 0) w on true
    where w.status is distinct from 'active';
  is_broken := found;
  return query
    select g.position, 'unauthorized'
    from unnest(guard_key_position, guard_key) g(position, id)
    left join lateral (
      select true as is_alive from api_keys k
      where k.id = g.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > at_now) offset 0) k on true
    where k.is_alive is null;
  is_broken := is_broken or found;
  if cardinality(guard_token) > 0 then
    return query
      select g.position, case when r.token_hash is not null then 'token_revoked' else 'token_expired' end
      from unnest(guard_token_position, guard_token_organization, guard_token, guard_token_expiry)
        g(position, organization_id, hash, expiry)
      left join lateral (
        select q.token_hash from revoked_tokens q
        where q.organization_id = g.organization_id and q.token_hash = g.hash offset 0) r on true
      where r.token_hash is not null or g.expiry <= at_now;
    is_broken := is_broken or found;
  end if;
  if cardinality(guard_gap) > 0 then
    return query
      select g.position, 'gap_told'
      from unnest(guard_gap_position, guard_gap_organization, guard_gap) g(position, organization_id, missed)
      cross join lateral (
        select q.events_missed from organization_counters q where q.organization_id = g.organization_id offset 0) c
      where g.missed > c.events_missed;
    is_broken := is_broken or found;
  end if;
  if is_broken then return; end if;

  insert into audit_events (organization_id, n, n_type, n_success, n_type_success, type, success, id, at,
      user_identity_id, wallet_id, actor_type, actor_id, payload, error_code)
    select c.organization_id,
      c.events + x.rank,
      coalesce(c.events_by_type[2 * x.type + 1], 0) + coalesce(c.events_by_type[2 * x.type + 2], 0) + x.rank_type,
      case when x.success then c.events_succeeded else c.events - c.events_succeeded end + x.rank_success,
      coalesce(c.events_by_type[2 * x.type + 1 + x.success::integer], 0) + x.rank_type_success,
      x.type, x.success, x.id, at_now, x.identity, x.wallet, x.actor_type, x.actor_id, x.payload::jsonb, x.error_code
    from unnest(event_organization, event_rank, event_rank_type, event_rank_success, event_rank_type_success, event_type,
      event_success, event_id, event_identity, event_wallet, event_actor_type, event_actor_id, event_payload, event_error_code)
      x(organization, rank, rank_type, rank_success, rank_type_success, type, success, id, identity, wallet, actor_type,
        actor_id, payload, error_code)
    cross join lateral (
      select q.organization_id, q.events, q.events_by_type, q.events_succeeded from organization_counters q
      where q.organization_id = organizations[x.organization] offset 0) c;

  for k in 1 .. cardinality(sum_organization) loop
    update organization_counters c set
      events = c.events + sum_count[k],
      events_succeeded = c.events_succeeded + case when sum_success[k] then sum_count[k] else 0 end,
      events_by_type[2 * sum_type[k] + 1 + sum_success[k]::integer] =
        coalesce(c.events_by_type[2 * sum_type[k] + 1 + sum_success[k]::integer], 0) + sum_count[k]
      where c.organization_id = organizations[sum_organization[k]];
  end loop;

  if cardinality(guard_gap) > 0 then
    update organization_counters c set events_missed = c.events_missed - g.missed
      from unnest(guard_gap_organization, guard_gap) g(organization_id, missed)
      where c.organization_id = g.organization_id;
  end if;
  if is_owing then
    return query
      select -1, c.organization_id::text || ' ' || c.events_missed::text from organization_counters c
      where c.organization_id = any(organizations) and c.events_missed > 0;
  end if;
end $$;
