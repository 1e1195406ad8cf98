-- What agents work on. A run belongs to whoever's lease is newest: `attempt` names the lease, `due_at` ends it.
create table agent_runs (
  id uuid primary key,
  organization_id uuid not null references organizations,
  agent_id uuid not null references agents,
  -- Under whose policy and budget it signs: its caller's session, or the agent's own.
  session_id uuid not null references agent_sessions,
  -- Opens that session's grant, sealed by the service; null for the agent's own. Nothing is left of it once the run has ended.
  token_key_sealed bytea,
  -- The first run of its tree: everything that changes more than one run of a tree holds this one's row first.
  root_id uuid not null references agent_runs,
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
  -- `{call?, data?}`: the one call of a tool that the objective is, and what came from outside beside it.
  input jsonb not null,
  metadata jsonb not null default '{}',
  question text,
  result jsonb,
  error text,
  -- Entries of the journal, and calls of tools among them.
  journal integer not null default 0,
  steps integer not null default 0 check (steps <= 32),
  attempt integer not null default 0,
  -- Tries of the step at hand that came to nothing.
  retries integer not null default 0,
  due_at timestamptz,
  -- Until when it has to get on: null while a child works.
  deadline_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default date_trunc('milliseconds', app_now()),
  updated_at timestamptz not null default date_trunc('milliseconds', app_now()),
  ended_at timestamptz,
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
create index agent_runs_due on agent_runs (due_at) where state in ('queued', 'running');
create index agent_runs_deadline on agent_runs (deadline_at) where ended_at is null;

-- The journal: what a run is about to do is written before it does it, and what came of it after. A row never changes.
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

-- Takes up to `rows_max` runs that are due, for as long as the lease is. Runs that somebody holds are left alone.
create function claim_agent_runs(rows_max integer, lease interval) returns setof agent_runs language sql as $$
  with clock as materialized (select app_now() as now),
  due as materialized (
    select r.id from agent_runs r, clock where r.state in ('queued', 'running') and r.due_at <= now and r.deadline_at > now
    order by r.due_at limit rows_max for update of r skip locked)
  update agent_runs r set state = 'running', attempt = r.attempt + 1, due_at = now + lease, version = r.version + 1,
    updated_at = date_trunc('milliseconds', now)
  from due, clock where r.id = due.id returning r.*
$$;

-- Adds an entry to the journal of a run that the caller holds; false when it is held no more, or the entry is there.
create function write_agent_run_step(
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

-- Holds the tree of a run: whoever changes more than one run of it, or waits for another one, comes through here.
create function hold_agent_run_tree(run uuid) returns agent_runs language plpgsql as $$
declare
  r agent_runs;
begin
  perform 1 from agent_runs a where a.id = (select b.root_id from agent_runs b where b.id = run) for update;
  select * into r from agent_runs a where a.id = run for update;
  return r;
end $$;

-- The end of one run as its journal and its row tell it.
create function close_agent_run(run uuid, end_state text, end_result jsonb, end_error text) returns void language sql as $$
  with ended as (
    update agent_runs r set state = end_state, result = end_result, error = end_error, journal = r.journal + 1, due_at = null,
      deadline_at = null, awaits_run_id = null, question = null, token_key_sealed = null, version = r.version + 1,
      updated_at = date_trunc('milliseconds', app_now()), ended_at = date_trunc('milliseconds', app_now())
    where r.id = run and r.ended_at is null returning r.id, r.journal)
  insert into agent_run_steps (run_id, seq, kind, tool, input, output)
  select e.id, e.journal, 'end', null, null, jsonb_build_object('state', end_state, 'result', end_result, 'error', end_error) from ended e
$$;

-- Ends a run with all that it has under it, and wakes its parent with the outcome. `held` null: from outside, whoever works on it.
-- False when there is nothing to end, or the lease is another's.
create function end_agent_run(
  run uuid, held integer, end_state text, end_result jsonb, end_error text, stretch interval
) returns boolean language plpgsql as $$
declare
  r agent_runs;
  below uuid;
begin
  r := hold_agent_run_tree(run);
  if r.id is null or r.ended_at is not null then return false; end if;
  if held is not null and (r.attempt <> held or r.state <> 'running') then return false; end if;
  for below in
    with recursive tree as (
      select a.id, a.ended_at, a.depth from agent_runs a where a.parent_run_id = run
      union all select a.id, a.ended_at, a.depth from agent_runs a join tree t on a.parent_run_id = t.id)
    select t.id from tree t where t.ended_at is null order by t.depth desc, t.id
  loop
    perform close_agent_run(below, 'canceled', null, null);
  end loop;
  perform close_agent_run(run, end_state, end_result, end_error);
  with woken as (
    update agent_runs p set state = 'queued', awaits_run_id = null, journal = p.journal + 1, due_at = app_now(),
      deadline_at = app_now() + stretch, version = p.version + 1, updated_at = date_trunc('milliseconds', app_now())
    where p.id = r.parent_run_id and p.awaits_run_id = run and p.state = 'awaiting_delegate' returning p.id, p.journal)
  insert into agent_run_steps (run_id, seq, kind, tool, input, output)
  select w.id, w.journal, 'resume', 'delegate', null,
    jsonb_build_object('run_id', run, 'state', end_state, 'result', end_result, 'error', end_error) from woken w;
  return true;
end $$;

-- Makes a child of a run for another agent of the organization. `held`: the parent's own runner asks, so that the parent waits for
-- the child from here on; null: what the parent gave away (`ac_live_`) is used, and it does not.
create function delegate_agent_run(
  parent uuid, held integer, child uuid, target uuid, child_objective text, child_input jsonb, child_metadata jsonb, key text,
  stretch interval
) returns text language plpgsql as $$
declare
  p agent_runs;
  t agents;
begin
  -- The agent first, as whoever archives it does.
  select a.* into t from agents a join agent_runs r on r.id = parent and r.organization_id = a.organization_id
    where a.id = target and a.status = 'active' for share of a;
  p := hold_agent_run_tree(parent);
  if p.id is null or p.ended_at is not null then return 'lost'; end if;
  if held is not null and (p.attempt <> held or p.state <> 'running') then return 'lost'; end if;
  if t.id is null then return 'agent_not_found'; end if;
  if key is not null and exists (
    select from agent_runs r where r.agent_id = t.id and r.caller = 'agent:' || p.agent_id and r.caller_key = key) then
    return 'exists';
  end if;
  -- The child would spend from the token's wallet under the agent's policy alone, by a budget of its own.
  if exists (
    select from agent_runs r join agent_sessions s on s.id = r.session_id
    where r.id = p.root_id and not s.is_implicit and s.wallet_id = t.wallet_id) then
    return 'same_wallet';
  end if;
  if p.depth >= 3 then return 'depth_limit'; end if;
  if p.children >= 8 then return 'children_limit'; end if;
  insert into agent_runs (id, organization_id, agent_id, session_id, root_id, parent_run_id, depth, source, caller, caller_key,
    objective, input, metadata, due_at, deadline_at)
  values (child, p.organization_id, t.id, t.session_id, p.root_id, parent, p.depth + 1, 'delegation', 'agent:' || p.agent_id, key,
    child_objective, child_input, child_metadata, app_now(), app_now() + stretch);
  update agent_runs r set children = r.children + 1, version = r.version + 1, updated_at = date_trunc('milliseconds', app_now()),
    journal = r.journal + case when held is null then 0 else 1 end,
    state = case when held is null then r.state else 'awaiting_delegate' end,
    awaits_run_id = case when held is null then r.awaits_run_id else child end,
    due_at = case when held is null then r.due_at end,
    deadline_at = case when held is null then r.deadline_at end
    where r.id = parent;
  if held is not null then
    insert into agent_run_steps (run_id, seq, kind, tool, input, output)
    values (parent, p.journal + 1, 'delegate', 'delegate', null, jsonb_build_object('run_id', child, 'agent_id', t.id));
  end if;
  return 'started';
end $$;

-- Asks whoever gave the run its objective, and waits for the answer.
create function ask_agent_run(run uuid, held integer, place integer, asked text, patience interval) returns boolean language sql as $$
  with own as (
    update agent_runs r set journal = place, state = 'awaiting_input', question = asked, due_at = null, retries = 0,
      deadline_at = app_now() + patience, version = r.version + 1, updated_at = date_trunc('milliseconds', app_now())
    where r.id = run and r.attempt = held and r.state = 'running' and r.journal = place - 1 returning r.id),
  written as (
    insert into agent_run_steps (run_id, seq, kind, tool, input, output)
    select own.id, place, 'ask', 'ask_user', jsonb_build_object('question', asked), null from own returning 1)
  select exists (select from written)
$$;

-- Gives a run that asked its answer; false when it does not wait for one.
create function answer_agent_run(run uuid, answer jsonb, stretch interval) returns boolean language sql as $$
  with own as (
    update agent_runs r set journal = r.journal + 1, state = 'queued', question = null, due_at = app_now(),
      deadline_at = app_now() + stretch, version = r.version + 1, updated_at = date_trunc('milliseconds', app_now())
    where r.id = run and r.state = 'awaiting_input' returning r.id, r.journal),
  written as (
    insert into agent_run_steps (run_id, seq, kind, tool, input, output)
    select own.id, own.journal, 'resume', 'ask_user', null, answer from own returning 1)
  select exists (select from written)
$$;

-- Cancels living runs with all that they have under them, tree by tree in the order of their ids.
create function cancel_agent_runs(runs uuid[], stretch interval) returns integer language plpgsql as $$
declare
  run uuid;
  ended integer := 0;
begin
  for run in select r.id from agent_runs r where r.id = any(runs) and r.ended_at is null order by r.root_id, r.depth, r.id loop
    if end_agent_run(run, null, 'canceled', null, null, stretch) then ended := ended + 1; end if;
  end loop;
  return ended;
end $$;

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

-- Deliveries that were taken: each starts one run, however often it comes.
create table agent_hook_deliveries (
  hook_id uuid not null references agent_hooks on delete cascade,
  delivery_id text not null,
  run_id uuid not null references agent_runs deferrable initially deferred,
  received_at timestamptz not null default app_now(),
  primary key (hook_id, delivery_id)
);
create index agent_hook_deliveries_by_time on agent_hook_deliveries (received_at);

-- Delegations that were used, until they would be past.
create table delegation_jtis (
  jti uuid primary key,
  expires_at timestamptz not null
);
create index delegation_jtis_expiry on delegation_jtis (expires_at);
