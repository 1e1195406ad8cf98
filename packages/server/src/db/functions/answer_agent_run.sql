-- Answers a run's question; false when the run does not wait for an answer.
create or replace function answer_agent_run(run uuid, answer jsonb, stretch interval) returns boolean language sql as $$
  with own as (
    update agent_runs r set journal = r.journal + 1, state = 'queued', question = null, due_at = app_now(),
      deadline_at = app_now() + stretch, version = r.version + 1, updated_at = date_trunc('milliseconds', app_now())
    where r.id = run and r.state = 'awaiting_input' returning r.id, r.journal),
  written as (
    insert into agent_run_steps (run_id, seq, kind, tool, input, output)
    select own.id, own.journal, 'resume', 'ask_user', null, answer from own returning 1)
  select exists (select from written)
$$;
