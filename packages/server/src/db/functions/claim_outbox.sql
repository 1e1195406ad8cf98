-- Claims up to `rows_max` due rows of a kind for the length of the lease, or until the process `holder` is dead; no two
-- workers get the same row. Organizations take turns: the oldest
-- row of each, then the second oldest of each, and so on. Of those in `busy` the worker holds `held` rows already; no organization gets
-- more than `share` of its places. What has expired is deleted.
create or replace function claim_outbox(message_kind text, rows_max integer, lease interval, busy uuid[], held integer[], share integer,
  holder uuid default null)
returns table (id uuid, organization_id uuid, sealed_payload bytea, attempts integer, is_expiring boolean) language plpgsql as $$
declare
  moment timestamptz := app_now();
  turns uuid[];
  candidates uuid[];
begin
  delete from outbox o where o.id = any(array(
    select e.id from outbox e where e.kind = message_kind and e.next_attempt_at <= moment and e.expires_at <= moment
      order by e.next_attempt_at limit 100 for update skip locked));
  -- Each organization by one probe of the index, however many rows it has.
  with recursive turn as (
    (select o.organization_id as org from outbox o where o.kind = message_kind order by o.organization_id limit 1)
    union all
    select (select o.organization_id from outbox o where o.kind = message_kind and o.organization_id > t.org order by o.organization_id limit 1)
      from turn t where t.org is not null)
  select array_agg(t.org) into turns from turn t
    where exists (select from outbox o where o.kind = message_kind and o.organization_id = t.org and o.next_attempt_at <= moment);
  if turns is null then return; end if;
  -- More than are wanted, in case other workers take some of them now.
  select array_agg(r.id order by r.round, r.due_at, r.id) into candidates from (
    select d.id, d.due_at, row_number() over (partition by t.org order by d.due_at, d.id) as round
    from unnest(turns) as t(org)
    cross join lateral (
      select o.id, o.next_attempt_at as due_at from outbox o
      where o.kind = message_kind and o.organization_id = t.org and o.next_attempt_at <= moment
      order by o.next_attempt_at
      limit rows_max * 4) d
    order by 3, 2 limit rows_max * 4) r;
  return query
    with due as materialized (
      select o.id, o.organization_id as org, array_position(candidates, o.id) as place
      from outbox o where o.id = any(candidates) and o.next_attempt_at <= moment for update skip locked),
    chosen as (
      select n.id from (select d.id, d.org, d.place, row_number() over (partition by d.org order by d.place) as count from due d) n
      where n.count <= share - coalesce(held[array_position(busy, n.org)], 0) order by n.place limit rows_max)
    update outbox o set attempts = o.attempts + 1, next_attempt_at = moment + lease, held_by = holder
      from chosen where o.id = chosen.id
      returning o.id, o.organization_id, o.sealed_payload, o.attempts, o.expires_at is not null;
end $$;
