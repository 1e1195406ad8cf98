-- Locks the tree of a run. Everything that changes more than one run of a tree, or waits for another run, calls it first.
create or replace function hold_agent_run_tree(run uuid) returns agent_runs language plpgsql as $$
declare
  r agent_runs;
begin
  perform 1 from agent_runs a where a.id = (select b.root_id from agent_runs b where b.id = run) for update;
  select * into r from agent_runs a where a.id = run for update;
  return r;
end $$;
