-- The state of a task as A2A has it. A run that waits for its first worker is submitted; later on waiting is part of the work.
create or replace function a2a_task_state(state text, journal integer) returns text language sql immutable as $$
  select case state
    when 'queued' then case when journal = 0 then 'submitted' else 'working' end
    when 'completed' then 'completed' when 'failed' then 'failed' when 'canceled' then 'canceled'
    when 'awaiting_input' then 'input-required'
    else 'working' end
$$;
