-- Authenticates agent tokens by hash and acquires the rate limit for the `count` requests that came with each: one bucket per token. Leaves
-- unknown tokens out and reports revoked and expired ones. `stamp` changes with the organization's row. `weights` and plans
-- as in `authenticate_keys`.
create or replace function authenticate_agents(
  hashes bytea[], counts integer[], period double precision, burst integer, weights text[] default null)
returns table (
  place bigint, session_id uuid, agent_id uuid, wallet_id uuid, organization_id uuid, stamp text, state text,
  now_ms double precision, granted integer, remaining integer, retry_seconds double precision, reset_seconds double precision
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  at_now timestamptz := app_now();
begin
  return query
    with found as materialized (
      select a.place, a.n, a.weights, t.id, t.agent_id, t.wallet_id, t.organization_id, o.stamp,
        -- agent_session_state, whose calls would cost as much as all the rest; these sessions have a token.
        case
          when t.status = 'revoked' then 'revoked'
          when least(t.expires_at, (g.policy ->> 'expires_at')::timestamptz,
            t.created_at + (r.rules ->> 'max_session_ttl_seconds')::bigint * interval '1 second') <= at_now then 'expired'
          else 'active' end as state,
        t.last_used_at is null or t.last_used_at < at_now - interval '1 minute' as is_stale
      from unnest(hashes, counts, weights) with ordinality as a(hash, n, weights, place)
      cross join lateral (select * from agent_sessions s where s.token_hash = a.hash offset 0) t
      cross join lateral (select q.version::text as stamp from organizations q where q.id = t.organization_id offset 0) o
      left join lateral (
        select q.policy from agents q where q.organization_id = t.organization_id and q.id = t.agent_id offset 0) g on true
      left join lateral (
        select q.rules from organization_rules q where q.organization_id = t.organization_id offset 0) r on true),
    -- A row that a commit has locked is left to the next call, so that this never waits.
    free as (
      select t.id from agent_sessions t
      where t.id = any(array(select f.id from found f where f.is_stale and f.state = 'active'))
      for no key update skip locked),
    touched as (
      update agent_sessions t set last_used_at = date_trunc('milliseconds', at_now)
      where t.id = any(array(select x.id from free x))),
    asked as (
      select array_agg('agent:' || f.id) as keys, array_agg(f.n) as counts, array_agg(period) as periods, array_agg(burst) as bursts,
        jsonb_object_agg('agent:' || f.id, f.weights) filter (where f.weights is not null) as weights
      from found f)
    select f.place, f.id, f.agent_id, f.wallet_id, f.organization_id, f.stamp, f.state,
      (extract(epoch from at_now) * 1000)::double precision, p.granted, p.remaining, p.retry_seconds, p.reset_seconds
    from asked, acquire_rate_limits(asked.keys, asked.counts, asked.periods, asked.bursts, asked.weights) p
    join found f on p.key = 'agent:' || f.id
    where asked.keys is not null;
end $$;
