-- Deletes up to `trees_max` trees of runs that ended longer ago than `kept`, with their journals, tasks and deliveries; returns how
-- many. A tree stays whole until all of its runs have ended. Events and the audit log know the runs by their ids, and stay.
create or replace function sweep_agent_runs(kept interval, trees_max integer) returns integer language plpgsql as $$
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
