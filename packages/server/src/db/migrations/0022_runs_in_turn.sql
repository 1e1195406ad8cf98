-- Which organization's runs come next: when a run of it was last taken up, by whatever process.
create table agent_turns (
  organization_id uuid primary key references organizations,
  taken_at timestamptz not null
) with (fillfactor = 50);

-- Due runs are looked for organization by organization.
drop index agent_runs_due;
create index agent_runs_due on agent_runs (organization_id, due_at) where state in ('queued', 'running');

-- Takes runs that are due into up to `rows_max` free slots of a worker that works on `held`, for as long as the lease is. Each slot
-- goes to the organization that holds the fewest of this worker's, and of equals to the one whose last turn is the longest ago; none
-- gets more than it leaves free, so that there is room for whoever comes next. Runs that somebody holds are left alone.
-- The function of two arguments stays for processes of the version before, while they are replaced.
create function claim_agent_runs(rows_max integer, held uuid[], lease interval) returns setof agent_runs language plpgsql as $$
declare
  at_now timestamptz := app_now();
  free integer := rows_max;
  -- By place: who has something due, and how many of the slots are theirs (null: nothing is left for them to put in).
  organizations uuid[];
  slots integer[];
  served uuid[] := '{}';
  place integer;
  run uuid;
begin
  -- One look into the index for each organization, however many runs it has. LIMIT keeps the looks from becoming one great join.
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
      return query update agent_runs r set state = 'running', attempt = r.attempt + 1, due_at = at_now + lease,
        version = r.version + 1, updated_at = date_trunc('milliseconds', at_now)
        where r.id = run returning r.*;
    end if;
  end loop;
  -- In one order, so that no two processes wait for each other.
  insert into agent_turns as t (organization_id, taken_at)
    select distinct s.id, at_now from unnest(served) as s(id) order by s.id
    on conflict (organization_id) do update set taken_at = excluded.taken_at;
end $$;

-- Messages of A2A that were taken, by caller and hash: the same one again is answered by the run that it started or went on with.
create table agent_messages (
  agent_id uuid not null,
  caller text not null,
  message_hash bytea not null,
  run_id uuid not null references agent_runs on delete cascade deferrable initially deferred,
  primary key (agent_id, caller, message_hash)
);
create index agent_messages_by_run on agent_messages (run_id);

-- Ended runs go in the end. What names a run is found by an index then, or names it no more by a foreign key: the root of a tree
-- would cost every run an index, and what GitHub delivered is remembered for as long as its hook, since it bears no time that
-- would refuse it later.
create index agent_runs_ended on agent_runs (ended_at) where depth = 0 and ended_at is not null;
create index agent_runs_awaiting on agent_runs (awaits_run_id) where awaits_run_id is not null;
alter table agent_runs drop constraint agent_runs_root_id_fkey;
alter table agent_hook_deliveries drop constraint agent_hook_deliveries_run_id_fkey;
create index agent_hook_deliveries_by_run on agent_hook_deliveries (run_id);
drop index agent_hook_deliveries_by_time;

-- Deletes up to `trees_max` trees of runs that ended longer ago than `kept`, with their journals, tasks and deliveries; answers how
-- many. A tree with a living run stays whole. Events and the audit log know the runs by their ids, and stay.
create function sweep_agent_runs(kept interval, trees_max integer) returns integer language plpgsql as $$
declare
  roots uuid[];
  runs uuid[];
  living uuid[];
begin
  roots := array(
    select r.id from agent_runs r where r.depth = 0 and r.ended_at is not null and r.ended_at < app_now() - kept
    order by r.ended_at limit trees_max for update skip locked);
  with recursive tree as (
    select r.id, r.root_id, r.ended_at from agent_runs r where r.id = any(roots)
    union all select c.id, c.root_id, c.ended_at from tree t join agent_runs c on c.parent_run_id = t.id)
  select array_agg(t.id), coalesce(array_agg(t.root_id) filter (where t.ended_at is null), '{}') into runs, living from tree t;
  if living <> '{}' then
    runs := array(select r.id from agent_runs r where r.id = any(runs) and r.root_id <> all(living));
  end if;
  delete from agent_hook_deliveries d using agent_hooks h where d.run_id = any(runs) and h.id = d.hook_id and h.style <> 'github';
  delete from agent_run_steps s where s.run_id = any(runs);
  delete from agent_runs r where r.id = any(runs);
  return (select count(*)::integer from unnest(roots) as root(id) where root.id <> all(living));
end $$;
