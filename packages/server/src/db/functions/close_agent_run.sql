-- Ends one run in its journal and its row.
create or replace function close_agent_run(run uuid, end_state text, end_result jsonb, end_error text) returns void language sql as $$
  with ended as (
    update agent_runs r set state = end_state, result = end_result, error = end_error, journal = r.journal + 1, due_at = null,
      deadline_at = null, awaits_run_id = null, question = null, token_key_sealed = null, version = r.version + 1,
      updated_at = date_trunc('milliseconds', app_now()), ended_at = date_trunc('milliseconds', app_now())
    where r.id = run and r.ended_at is null returning r.id, r.journal)
  insert into agent_run_steps (run_id, seq, kind, tool, input, output)
  select e.id, e.journal, 'end', null, null, jsonb_build_object('state', end_state, 'result', end_result, 'error', end_error) from ended e
$$;
