-- Queues a notification for each receiver with the change that it reports, so that neither exists without the other.
create or replace function queue_a2a_pushes() returns trigger language plpgsql as $$
begin
  if a2a_task_state(new.state, new.journal) <> a2a_task_state(old.state, old.journal) then
    insert into a2a_pushes (run_id, config_id, state, changed_at)
    select c.run_id, c.id, a2a_task_state(new.state, new.journal), new.updated_at from a2a_push_configs c where c.run_id = new.id;
  end if;
  return null;
end $$;

create or replace trigger agent_runs_pushes after update of state on agent_runs for each row
  when (old.state <> new.state) execute function queue_a2a_pushes();
