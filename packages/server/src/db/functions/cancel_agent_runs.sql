-- Cancels runs that have not ended and everything below them, tree by tree in the order of their ids.
create or replace function cancel_agent_runs(runs uuid[], stretch interval) returns integer language plpgsql as $$
declare
  run uuid;
  ended integer := 0;
begin
  for run in select r.id from agent_runs r where r.id = any(runs) and r.ended_at is null order by r.root_id, r.depth, r.id loop
    if end_agent_run(run, null, 'canceled', null, null, stretch) then ended := ended + 1; end if;
  end loop;
  return ended;
end $$;
