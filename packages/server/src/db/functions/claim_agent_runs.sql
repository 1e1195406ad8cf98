-- Takes due runs into up to `rows_max` free slots of a worker that already works on `held`, for the length of the lease, or until the process
-- `holder` is dead. Each slot
-- goes to the organization with the fewest slots of this worker, and among equals to the one whose last turn was longest ago. None
-- gets more slots than it leaves free, so that the next one finds room. Skips locked runs.
create or replace function claim_agent_runs(rows_max integer, held uuid[], lease interval, holder uuid default null) returns setof agent_runs language plpgsql as $$
declare
  at_now timestamptz := app_now();
  free integer := rows_max;
  -- By place: the organizations with due runs, and how many slots each has (null: it has nothing left to run).
  organizations uuid[];
  slots integer[];
  served uuid[] := '{}';
  place integer;
  run uuid;
begin
  -- One index lookup per organization, however many runs it has. LIMIT keeps the lookups from becoming one large join.
  with recursive living as (
    (select r.organization_id from agent_runs r where r.state in ('queued', 'running') order by r.organization_id limit 1)
    union all
    select n.organization_id from living l cross join lateral (
      select r.organization_id from agent_runs r where r.state in ('queued', 'running') and r.organization_id > l.organization_id
      order by r.organization_id limit 1) n),
  ours as (select r.organization_id, count(*)::integer as n from agent_runs r where r.id = any(held) group by r.organization_id),
  first as (
    select l.organization_id, coalesce(o.n, 0) as n, t.taken_at from living l
    cross join lateral (
      select 1 from agent_runs r where r.organization_id = l.organization_id and r.state in ('queued', 'running')
        and r.due_at <= at_now and r.deadline_at > at_now order by r.due_at limit 1) due
    left join ours o on o.organization_id = l.organization_id
    left join lateral (
      select a.taken_at from agent_turns a where a.organization_id = l.organization_id limit 1) t on true
    order by n, t.taken_at nulls first, l.organization_id limit rows_max)
  select array_agg(f.organization_id order by f.n, f.taken_at nulls first, f.organization_id),
    array_agg(f.n order by f.n, f.taken_at nulls first, f.organization_id)
  into organizations, slots from first f;
  loop
    select s.i into place from unnest(slots) with ordinality as s(n, i) where s.n is not null order by s.n, s.i limit 1;
    exit when place is null or slots[place] >= free;
    select r.id into run from agent_runs r
      where r.organization_id = organizations[place] and r.state in ('queued', 'running') and r.due_at <= at_now and r.deadline_at > at_now
      order by r.due_at limit 1 for update skip locked;
    if run is null then
      slots[place] := null;
    else
      slots[place] := slots[place] + 1;
      free := free - 1;
      served := served || organizations[place];
      return query update agent_runs r set state = 'running', attempt = r.attempt + 1, due_at = at_now + lease, held_by = holder,
        version = r.version + 1, updated_at = date_trunc('milliseconds', at_now)
        where r.id = run returning r.*;
    end if;
  end loop;
  -- In one order, so that no two processes wait for each other.
  insert into agent_turns as t (organization_id, taken_at)
    select distinct s.id, at_now from unnest(served) as s(id) order by s.id
    on conflict (organization_id) do update set taken_at = excluded.taken_at;
end $$;
