-- Ends a run and cancels everything below it; false when it has ended, or when `held` is not the attempt that holds it. A parent that
-- waits for it continues. `held` is null when it is ended from outside: that locks `organization_counters` first, as ending a
-- session does, so that nothing is signed for the run afterwards. The result of a run that is not completed and has none of its own
-- is what was signed before.
create or replace function end_agent_run(
  run uuid, held integer, end_state text, end_result jsonb, end_error text, stretch interval
) returns boolean language plpgsql as $$
declare
  r agent_runs;
  below uuid;
  -- JSON's null is not a result either.
  report jsonb := nullif(end_result, 'null');
begin
  -- From here on, nothing is signed for the run.
  if held is null then
    perform 1 from organization_counters c
      where c.organization_id = (select a.organization_id from agent_runs a where a.id = run) for update;
  end if;
  r := hold_agent_run_tree(run);
  if r.id is null or r.ended_at is not null then return false; end if;
  if held is not null and (r.attempt <> held or r.state <> 'running') then return false; end if;
  for below in
    with recursive tree as (
      select a.id, a.ended_at, a.depth from agent_runs a where a.parent_run_id = run
      union all select a.id, a.ended_at, a.depth from agent_runs a join tree t on a.parent_run_id = t.id)
    select t.id from tree t where t.ended_at is null order by t.depth desc, t.id
  loop
    perform close_agent_run(below, 'canceled', agent_run_signed(below), null);
  end loop;
  if end_state <> 'completed' then report := coalesce(report, agent_run_signed(run)); end if;
  perform close_agent_run(run, end_state, coalesce(report, end_result), end_error);
  with woken as (
    update agent_runs p set state = 'queued', awaits_run_id = null, journal = p.journal + 1, due_at = app_now(),
      deadline_at = app_now() + stretch, version = p.version + 1, updated_at = date_trunc('milliseconds', app_now())
    where p.id = r.parent_run_id and p.awaits_run_id = run and p.state = 'awaiting_delegate' returning p.id, p.journal)
  insert into agent_run_steps (run_id, seq, kind, tool, input, output)
  select w.id, w.journal, 'resume', 'delegate', null,
    jsonb_build_object('run_id', run, 'state', end_state, 'result', coalesce(report, end_result), 'error', end_error) from woken w;
  return true;
end $$;
