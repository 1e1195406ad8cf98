-- Sets a configuration of a task, of which there are at most `configs_max`; false when there are as many already. The run's row is
-- locked meanwhile, so that no change falls in between. `is_early`: the task was just sent, and its changes since are reported too.
create or replace function set_a2a_push_config(
  run uuid, config_id text, config bytea, version text, is_early boolean, configs_max integer
) returns boolean language plpgsql as $$
declare
  r agent_runs;
begin
  select * into r from agent_runs a where a.id = run for update;
  if r.id is null or (
    select count(*) from a2a_push_configs c where c.run_id = run and c.id <> config_id) >= configs_max then return false; end if;
  insert into a2a_push_configs (run_id, id, config_sealed, wire_version) values (run, config_id, config, version)
  on conflict (run_id, id) do update set config_sealed = excluded.config_sealed, wire_version = excluded.wire_version;
  if is_early and a2a_task_state(r.state, r.journal) <> 'submitted' then
    insert into a2a_pushes (run_id, config_id, state, changed_at)
    values (run, config_id, a2a_task_state(r.state, r.journal), r.updated_at);
  end if;
  return true;
end $$;
