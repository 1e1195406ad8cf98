-- Holds the tree of a run: whoever changes more than one run of it, or waits for another one, comes through here.
create or replace function hold_agent_run_tree(run uuid) returns agent_runs language plpgsql as $$
declare
  r agent_runs;
begin
  perform 1 from agent_runs a where a.id = (select b.root_id from agent_runs b where b.id = run) for update;
  select * into r from agent_runs a where a.id = run for update;
  return r;
end $$;
