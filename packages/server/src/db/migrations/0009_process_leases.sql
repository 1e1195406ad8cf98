-- phase: expand
-- The API processes that are alive, by their heartbeat on the real clock: what a dead one held is free at once. `host` names the
-- machine's boot and process namespace: whoever shares it sees in the process table whether `pid`, started at `started`, still runs.
create table processes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started text not null,
  seen_at timestamptz not null default clock_timestamp(),
  -- Since when no beat was missed: only who was heard itself may call others silent.
  steady_since timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

-- Who holds a lease; null where nobody does, or a release before this one.
alter table outbox add column held_by uuid;
create index outbox_held on outbox (held_by) where held_by is not null;
alter table a2a_pushes add column held_by uuid;
create index a2a_pushes_held on a2a_pushes (held_by) where held_by is not null;
alter table agent_runs add column held_by uuid;
create index agent_runs_held on agent_runs (held_by) where held_by is not null and state = 'running';
alter table broadcasts add column held_by uuid;
create index broadcasts_held on broadcasts (held_by) where held_by is not null;

-- touched: a part of the request is committed; committed: a success of it is recorded. Neither runs again.
alter table idempotency_keys drop constraint idempotency_keys_state_check;
alter table idempotency_keys add constraint idempotency_keys_state_check
  check (state in ('running', 'touched', 'committed', 'answered', 'spent'));
