-- Adds an entry to the journal of a run that the worker holds; false when it no longer holds the run, or the entry exists.
create or replace function write_agent_run_step(
  run uuid, held integer, place integer, step_kind text, step_tool text, step_input jsonb, step_output jsonb, lease interval
) returns boolean language sql as $$
  with clock as materialized (select app_now() as now),
  own as (
    update agent_runs r set journal = place, steps = r.steps + case when step_kind = 'tool' then 1 else 0 end, retries = 0,
      due_at = now + lease, version = r.version + 1, updated_at = date_trunc('milliseconds', now)
    from clock where r.id = run and r.attempt = held and r.state = 'running' and r.journal = place - 1 returning r.id),
  written as (
    insert into agent_run_steps (run_id, seq, kind, tool, input, output)
    select own.id, place, step_kind, step_tool, step_input, step_output from own returning 1)
  select exists (select from written)
$$;
