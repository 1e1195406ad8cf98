-- Asks the one who gave the run its objective, and lets the run wait for the answer.
create or replace function ask_agent_run(run uuid, held integer, place integer, asked text, patience interval) returns boolean language sql as $$
  with own as (
    update agent_runs r set journal = place, state = 'awaiting_input', question = asked, due_at = null, retries = 0,
      deadline_at = app_now() + patience, version = r.version + 1, updated_at = date_trunc('milliseconds', app_now())
    where r.id = run and r.attempt = held and r.state = 'running' and r.journal = place - 1 returning r.id),
  written as (
    insert into agent_run_steps (run_id, seq, kind, tool, input, output)
    select own.id, place, 'ask', 'ask_user', jsonb_build_object('question', asked), null from own returning 1)
  select exists (select from written)
$$;
