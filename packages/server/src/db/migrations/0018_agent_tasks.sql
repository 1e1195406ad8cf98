-- Tasks of A2A are runs: what a caller sees of one is read off its row and its journal.
create index agent_runs_by_change on agent_runs (agent_id, caller, updated_at, id);

-- The state of a task as A2A has it. A run that waits for its first worker is submitted; later on waiting is part of the work.
create function a2a_task_state(state text, journal integer) returns text language sql immutable as $$
  select case state
    when 'queued' then case when journal = 0 then 'submitted' else 'working' end
    when 'completed' then 'completed' when 'failed' then 'failed' when 'canceled' then 'canceled'
    when 'awaiting_input' then 'input-required'
    else 'working' end
$$;

-- Where callers want to hear of their tasks. `config` (the address, the caller's own token and credentials) is sealed by the service;
-- `wire_version`: in which words.
create table a2a_push_configs (
  run_id uuid not null references agent_runs on delete cascade,
  id text not null,
  config_sealed bytea not null,
  wire_version text not null check (wire_version in ('0.3', '1.0')),
  created_at timestamptz not null default app_now(),
  primary key (run_id, id)
);

-- What is yet to be told, written with the change that it tells of: one row for each state that a task comes to and each who
-- wants to hear. Told in order, at least once.
create table a2a_pushes (
  id bigint generated always as identity primary key,
  run_id uuid not null,
  config_id text not null,
  state text not null,
  changed_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default app_now(),
  foreign key (run_id, config_id) references a2a_push_configs on delete cascade
);
create index a2a_pushes_due on a2a_pushes (next_attempt_at);
create index a2a_pushes_by_config on a2a_pushes (run_id, config_id, id);

create function queue_a2a_pushes() returns trigger language plpgsql as $$
begin
  if a2a_task_state(new.state, new.journal) <> a2a_task_state(old.state, old.journal) then
    insert into a2a_pushes (run_id, config_id, state, changed_at)
    select c.run_id, c.id, a2a_task_state(new.state, new.journal), new.updated_at from a2a_push_configs c where c.run_id = new.id;
  end if;
  return null;
end $$;
create trigger agent_runs_pushes after update of state on agent_runs for each row
  when (old.state <> new.state) execute function queue_a2a_pushes();

-- Sets a configuration of a task, of which there are at most `configs_max`; false when there are as many already. The run's row is
-- held meanwhile: no change falls between the two. With `is_early` the task has just been sent and what it came to since is told too.
create function set_a2a_push_config(
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

-- Takes up to `rows_max` due notifications, for each receiver the oldest only, so that they come in order.
create function claim_a2a_pushes(rows_max integer, lease interval)
returns table (
  id bigint, run_id uuid, config_id text, state text, changed_at timestamptz, attempts integer, config_sealed bytea, wire_version text
) language sql as $$
  with clock as materialized (select app_now() as now),
  due as materialized (
    select p.id from a2a_pushes p, clock
    where p.next_attempt_at <= now and not exists (
      select from a2a_pushes e where e.run_id = p.run_id and e.config_id = p.config_id and e.id < p.id)
    order by p.next_attempt_at limit rows_max for update of p skip locked)
  update a2a_pushes p set attempts = p.attempts + 1, next_attempt_at = now + lease
  from due, clock, a2a_push_configs c
  where p.id = due.id and c.run_id = p.run_id and c.id = p.config_id
  returning p.id, p.run_id, p.config_id, p.state, p.changed_at, p.attempts, c.config_sealed, c.wire_version
$$;
