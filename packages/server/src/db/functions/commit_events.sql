-- Appends a batch of events and releases what waits for them, all or nothing. Each argument is a column of the batch, one element per
-- row:
--   organizations   the batch's organizations; `event_organization` and `sum_organization` are positions in it, from 1
--   sum_…           how many events the batch adds, by organization, type and outcome
--   event_…         the events. rank… are ranks within the batch (over all, by type, by outcome, by both), from 1: added to the
--                   counters, they stay dense
--   guard_…         what must hold, with the event's position: wallets active, keys alive, tokens neither revoked nor expired, and
--                   for a gap event at least as many missed events as it reports
--   attempt…        the attempts of idempotency keys that the events belong to, with the event's position where a key that was taken over
--                   breaks the batch: they are noted, as `committed` with a success (also where `attempt_success` is missing, as in
--                   builds before it), otherwise as `touched`
--   receipt_…       the receipts of signatures that events release, or with `receipt_jws` NULL the numbers of receipts that never leave, with
--                   the event's position and that of its organization. A number that is known already breaks the batch
--   is_due          false: nothing is done. For a statement that finds out before this call whether the batch is due
-- Returns one row per broken guard (then nothing was written), and position -1 for each organization that owes a gap event.
-- The counter row is locked first, and each later statement sees what was committed until then. Archiving, revoking and logging out
-- take the same lock, so no answer passes behind theirs.
-- Plans as in `authenticate_keys`; the trigger that counts usage is planned under the same settings.
create or replace function commit_events(
  organizations uuid[],
  sum_organization integer[], sum_type integer[], sum_success boolean[], sum_count bigint[],
  event_organization integer[], event_rank bigint[], event_rank_type bigint[], event_rank_success bigint[],
  event_rank_type_success bigint[], event_type smallint[], event_success boolean[], event_id uuid[],
  event_identity uuid[], event_wallet uuid[], event_actor_type text[], event_actor_id text[], event_payload text[],
  event_error_code text[],
  guard_wallet_position integer[], guard_wallet uuid[],
  guard_key_position integer[], guard_key uuid[],
  guard_token_position integer[], guard_token_organization uuid[], guard_token bytea[],
  guard_token_expiry timestamptz[],
  guard_gap_position integer[], guard_gap_organization uuid[], guard_gap bigint[],
  is_due boolean default true,
  attempt_position integer[] default '{}', attempt_scope bytea[] default '{}', attempt_key text[] default '{}', attempt uuid[] default '{}',
  attempt_success boolean[] default '{}',
  receipt_position integer[] default '{}', receipt_organization integer[] default '{}', receipt_kid text[] default '{}',
  receipt_counter bigint[] default '{}', receipt_id uuid[] default '{}', receipt_wallet uuid[] default '{}',
  receipt_issued_at timestamptz[] default '{}', receipt_jws text[] default '{}'
) returns table (i integer, reason text) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  at_now timestamptz;
  owes boolean;
  is_owing boolean := false;
  is_broken boolean := false;
begin
  if not is_due then return; end if;
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
  if cardinality(attempt) > 0 then
    return query
      select g.position, 'attempt_lost'
      from unnest(attempt_position, attempt_scope, attempt_key, attempt) g(position, scope, key, id)
      left join lateral (
        select true as is_ours from idempotency_keys q
        where q.scope = g.scope and q.key = g.key and q.attempt_id = g.id and q.state in ('running', 'touched', 'committed')
        for update offset 0) k on true
      where g.position is not null and k.is_ours is null;
    is_broken := is_broken or found;
  end if;
  if cardinality(receipt_kid) > 0 then
    return query
      select g.position, 'receipt_known'
      from unnest(receipt_position, receipt_organization, receipt_kid, receipt_counter) g(position, organization, kid, counter)
      cross join lateral (
        select true as is_known from receipts q
        where q.organization_id = organizations[g.organization] and q.kid = g.kid and q.counter = g.counter offset 0) k;
    is_broken := is_broken or found;
  end if;
  if is_broken then return; end if;
  if cardinality(attempt) > 0 then
    update idempotency_keys k set state = case when g.success then 'committed' else 'touched' end
      from (
        select x.scope, x.key, x.id, bool_or(coalesce(x.success, true)) as success
        from unnest(attempt_scope, attempt_key, attempt, attempt_success) x(scope, key, id, success) group by x.scope, x.key, x.id) g
      where k.scope = g.scope and k.key = g.key and k.attempt_id = g.id and k.state in ('running', 'touched', 'committed')
        and (g.success or k.state = 'running');
  end if;

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

  if cardinality(receipt_kid) > 0 then
    insert into receipt_numbers as n (organization_id, kid, highest)
      select organizations[x.organization], x.kid, max(x.counter)
      from unnest(receipt_organization, receipt_kid, receipt_counter) x(organization, kid, counter)
      group by 1, 2 order by 1, 2
      on conflict (organization_id, kid) do update set highest = greatest(n.highest, excluded.highest);
    insert into receipts (organization_id, kid, counter, stored_at, cursor, receipt_id, wallet_id, issued_at, jws)
      select c.organization_id, x.kid, x.counter, at_now, case when x.jws is not null then c.receipts + x.rank end,
        x.id, x.wallet, x.issued_at, x.jws
      from (
        select y.*, row_number() over (partition by y.organization, y.jws is null order by y.position) as rank
        from unnest(receipt_position, receipt_organization, receipt_kid, receipt_counter, receipt_id, receipt_wallet,
          receipt_issued_at, receipt_jws) y(position, organization, kid, counter, id, wallet, issued_at, jws)) x
      cross join lateral (
        select q.organization_id, q.receipts from organization_counters q
        where q.organization_id = organizations[x.organization] offset 0) c;
    update organization_counters c set receipts = c.receipts + x.count
      from (
        select organizations[y.organization] as id, count(*) as count
        from unnest(receipt_organization, receipt_jws) y(organization, jws) where y.jws is not null group by 1) x
      where c.organization_id = x.id;
  end if;
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
