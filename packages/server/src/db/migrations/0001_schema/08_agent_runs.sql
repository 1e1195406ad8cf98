-- Runs of agents, the hooks that start them, and the notifications about them.

-- The runs of agents. A run belongs to the worker with the newest lease: `attempt` names the lease, `due_at` ends it.
create table agent_runs (
  id uuid primary key,
  organization_id uuid not null references organizations,
  agent_id uuid not null references agents,
  -- The session whose policy and budget it signs under: its caller's, or the agent's own.
  session_id uuid not null references agent_sessions,
  -- Opens that session's grant, sealed by the service; null for the agent's own. Erased when the run ends.
  token_key_sealed bytea,
  -- The first run of its tree: everything that changes more than one run of a tree locks this one's row first.
  root_id uuid not null,
  parent_run_id uuid references agent_runs,
  depth smallint not null default 0 check (depth between 0 and 3),
  children smallint not null default 0 check (children between 0 and 8),
  source text not null check (source in ('a2a', 'hook', 'portal', 'delegation')),
  -- Who may see and continue it over A2A, and the id that they gave their task.
  caller text not null,
  caller_key text,
  state text not null default 'queued' check (state in ('queued', 'running', 'awaiting_delegate', 'awaiting_input',
    'awaiting_approval', 'completed', 'failed', 'canceled')),
  awaits_run_id uuid references agent_runs,
  objective text not null,
  -- `{call?, data?}`: the one tool call that is the objective, and the data that came with it from outside.
  input jsonb not null,
  metadata jsonb not null default '{}',
  question text,
  result jsonb,
  error text,
  -- Entries of the journal, and calls of tools among them.
  journal integer not null default 0,
  steps integer not null default 0 check (steps <= 32),
  attempt integer not null default 0,
  -- Failed tries of the current step.
  retries integer not null default 0,
  due_at timestamptz,
  -- When it must have made progress; null while a child works.
  deadline_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default date_trunc('milliseconds', app_now()),
  updated_at timestamptz not null default date_trunc('milliseconds', app_now()),
  ended_at timestamptz,
  -- Lists read these two instead of the whole `metadata` and `result`, which may be large. The conversation of a task:
  context_id text generated always as (metadata ->> 'context_id') stored,
  -- The beginning of a result whose JSON is long; null for a short one.
  result_beginning text generated always as (
    case when length(result::text) > 4096 then left(result::text, 4096) end) stored,
  unique (agent_id, caller, caller_key),
  check ((ended_at is not null) = (state in ('completed', 'failed', 'canceled'))),
  check (ended_at is null or token_key_sealed is null),
  check ((due_at is not null) = (state in ('queued', 'running'))),
  check ((awaits_run_id is not null) = (state = 'awaiting_delegate')),
  check ((question is not null) = (state = 'awaiting_input')),
  check ((parent_run_id is null) = (depth = 0))
);
create index agent_runs_by_agent on agent_runs (agent_id, id);
create index agent_runs_by_caller on agent_runs (agent_id, caller, id);
create index agent_runs_by_session on agent_runs (session_id) where ended_at is null;
create index agent_runs_by_parent on agent_runs (parent_run_id, id) where parent_run_id is not null;
create index agent_runs_deadline on agent_runs (deadline_at) where ended_at is null;
-- Tasks of A2A are runs: a caller sees one from its row and its journal.
create index agent_runs_by_change on agent_runs (agent_id, caller, updated_at, id);
create index agent_runs_due on agent_runs (organization_id, due_at) where state in ('queued', 'running');
-- Ended runs are deleted in the end. Rows that name a run are then found by an index, or have no foreign key: the root of a tree would
-- cost every run an index, and GitHub's deliveries are kept as long as their hook, since they carry no time by which to refuse
-- them later.
create index agent_runs_ended on agent_runs (ended_at) where depth = 0 and ended_at is not null;
create index agent_runs_awaiting on agent_runs (awaits_run_id) where awaits_run_id is not null;

-- The journal: each step is written before it is done, and its result after. A row never changes.
create table agent_run_steps (
  run_id uuid not null references agent_runs,
  seq integer not null,
  kind text not null check (kind in ('think', 'tool', 'note', 'result', 'delegate', 'ask', 'resume', 'end')),
  tool text,
  input jsonb,
  output jsonb,
  created_at timestamptz not null default date_trunc('milliseconds', app_now()),
  primary key (run_id, seq)
);

-- The turns of organizations: when a run of each was last started, by any process.
create table agent_turns (
  organization_id uuid primary key references organizations,
  taken_at timestamptz not null
) with (fillfactor = 50);

-- Addresses at which other systems start runs. Two secrets are good for a day after a rotation.
create table agent_hooks (
  id uuid primary key,
  organization_id uuid not null references organizations,
  agent_id uuid not null references agents,
  name text not null,
  style text not null check (style in ('standard', 'stripe', 'github')),
  objective_template text not null,
  secret_id uuid not null,
  sealed_secret bytea not null,
  secret_hint text not null,
  earlier_secret_id uuid,
  earlier_sealed_secret bytea,
  earlier_ends_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', app_now()),
  last_delivery_at timestamptz,
  check ((earlier_secret_id is null) = (earlier_sealed_secret is null)),
  check ((earlier_secret_id is null) = (earlier_ends_at is null))
);
create index agent_hooks_by_agent on agent_hooks (agent_id, id);

-- Accepted deliveries: each starts one run, however often it arrives.
create table agent_hook_deliveries (
  hook_id uuid not null references agent_hooks on delete cascade,
  delivery_id text not null,
  run_id uuid not null,
  received_at timestamptz not null default app_now(),
  primary key (hook_id, delivery_id)
);
create index agent_hook_deliveries_by_run on agent_hook_deliveries (run_id);

-- Accepted messages of A2A, by caller and hash: the response to the same one again is the run that it started or continued.
create table agent_messages (
  agent_id uuid not null,
  caller text not null,
  message_hash bytea not null,
  run_id uuid not null references agent_runs on delete cascade deferrable initially deferred,
  primary key (agent_id, caller, message_hash)
);
create index agent_messages_by_run on agent_messages (run_id);

-- Used delegations, until they would have expired.
create table delegation_jtis (
  jti uuid primary key,
  expires_at timestamptz not null
);
create index delegation_jtis_expiry on delegation_jtis (expires_at);

-- Where callers want notifications of their tasks. `config` (the address, the caller's own token and credentials) is sealed by the
-- service; `wire_version` is the protocol's version.
create table a2a_push_configs (
  run_id uuid not null references agent_runs on delete cascade,
  id text not null,
  config_sealed bytea not null,
  wire_version text not null check (wire_version in ('0.3', '1.0')),
  created_at timestamptz not null default app_now(),
  primary key (run_id, id)
);

-- Notifications to send, each written with the change that it reports: one row per state of a task and receiver. Sent in order, at
-- least once.
create table a2a_pushes (
  id bigint generated always as identity primary key,
  run_id uuid not null,
  config_id text not null,
  state text not null,
  changed_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default app_now(),
  -- Names the notification at each try; unlike `id` it does not reveal how many there are.
  jti uuid not null default gen_random_uuid(),
  foreign key (run_id, config_id) references a2a_push_configs on delete cascade
);
create index a2a_pushes_due on a2a_pushes (next_attempt_at);
create index a2a_pushes_by_config on a2a_pushes (run_id, config_id, id);
