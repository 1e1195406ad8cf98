-- What a run and everything below it had signed, `{message, signed: [...]}` in the order of time, at most 100; null for nothing.
create or replace function agent_run_signed(run uuid) returns jsonb language sql stable as $$
  with recursive tree as (
    select run as id
    union all select a.id from agent_runs a join tree t on a.parent_run_id = t.id),
  signed as (
    select e.* from tree t join agent_events e on e.run_id = t.id and e.outcome = 0 order by e.at, e.run_id, e.n_run limit 100)
  select jsonb_build_object(
    'message', case count(*) when 1 then '1 signature was' else count(*) || ' signatures were' end || ' made before it ended.',
    'signed', jsonb_agg(jsonb_build_object('run_id', s.run_id, 'chain', s.chain, 'method', s.method,
    'target', s.target, 'value', s.value::text, 'asset', s.asset, 'tx_hash', s.tx_hash) order by s.at, s.run_id, s.n_run))
  from signed s having count(*) > 0
$$;
