-- Creates a child of a run for another agent of the organization. `held`: the parent's own runner asks, and the parent waits for the
-- child from now on. Null: a delegation that the parent gave away (`ac_live_`) is used, and the parent does not wait.
create or replace function delegate_agent_run(
  parent uuid, held integer, child uuid, target uuid, child_objective text, child_input jsonb, child_metadata jsonb, key text,
  stretch interval
) returns text language plpgsql as $$
declare
  p agent_runs;
  t agents;
begin
  -- The agent is locked first, as archiving it does.
  select a.* into t from agents a join agent_runs r on r.id = parent and r.organization_id = a.organization_id
    where a.id = target and a.status = 'active' for share of a;
  p := hold_agent_run_tree(parent);
  if p.id is null or p.ended_at is not null then return 'lost'; end if;
  if held is not null and (p.attempt <> held or p.state <> 'running') then return 'lost'; end if;
  if t.id is null then return 'agent_not_found'; end if;
  if not fits_agent_template(t, child_objective) then return 'objective_too_long'; end if;
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
