-- The global rules of an organization for all its agents, in the words of the wire; no row: nobody has set any. `version` rises with
-- every change: a signature judged under an older one does not leave.
create table organization_rules (
  organization_id uuid primary key references organizations,
  rules jsonb not null,
  version bigint not null default 1,
  updated_at timestamptz not null default app_now()
);

create table agents (
  id uuid primary key,
  organization_id uuid not null references organizations,
  wallet_id uuid not null references wallets,
  name text not null,
  description text not null,
  runner text not null,
  objective_template text not null,
  policy jsonb not null,
  policy_version bigint not null default 1,
  skills jsonb not null,
  status text not null default 'active' check (status in ('active', 'archived')),
  -- The session of the agent's own runs.
  session_id uuid not null unique,
  created_at timestamptz not null default date_trunc('milliseconds', app_now()),
  updated_at timestamptz not null default date_trunc('milliseconds', app_now()),
  archived_at timestamptz,
  check ((status = 'archived') = (archived_at is not null))
);
create index agents_by_organization on agents (organization_id, id);

create table agent_sessions (
  id uuid primary key,
  organization_id uuid not null references organizations,
  agent_id uuid references agents,
  wallet_id uuid not null references wallets,
  name text not null,
  -- Of an agent's own runs: without a token.
  is_implicit boolean not null,
  token_hash bytea unique,
  token_hint text,
  -- The session's own layer, as it was sealed.
  policy jsonb not null,
  -- The organization's and the agent's layer as they were sealed: `{organization, agent}`, null for none.
  sealed_under jsonb not null,
  -- The meet of all layers as they were sealed.
  effective jsonb not null,
  -- Of the grant: a new one is for a new version.
  policy_version integer not null default 1,
  -- What the enclave made of policy and key access; only the token opens it. Revoking leaves nothing of it.
  grant_sealed bytea,
  clipped text[] not null,
  status text not null default 'active' check (status in ('active', 'revoked')),
  expires_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', app_now()),
  -- Moved at most once a minute.
  last_used_at timestamptz,
  revoked_at timestamptz,
  check ((token_hash is null) = is_implicit),
  check ((token_hint is null) = is_implicit),
  check (not is_implicit or agent_id is not null),
  check ((status = 'revoked') = (revoked_at is not null)),
  check ((status = 'revoked') = (grant_sealed is null))
) with (fillfactor = 50);
create index agent_sessions_by_organization on agent_sessions (organization_id, id);
create index agent_sessions_by_wallet on agent_sessions (wallet_id, id);
create index agent_sessions_by_agent on agent_sessions (agent_id, id) where agent_id is not null;
create unique index agent_sessions_implicit on agent_sessions (agent_id) where is_implicit;
alter table agents add foreign key (session_id) references agent_sessions deferrable initially deferred;

-- When a session ends as the rules and its agent's policy are now; null: never. The organization's longest life is one of tokens:
-- the session of an agent's own runs has none.
create function agent_session_end(session agent_sessions) returns timestamptz language sql stable as $$
  select least(session.expires_at,
    (select (a.policy ->> 'expires_at')::timestamptz from agents a where a.id = session.agent_id),
    (select session.created_at + (r.rules ->> 'max_session_ttl_seconds')::bigint * interval '1 second'
      from organization_rules r where r.organization_id = session.organization_id and not session.is_implicit))
$$;

-- Where a session stands at a moment; being revoked goes before being past.
create function agent_session_state(session agent_sessions, at timestamptz) returns text language sql stable as $$
  select case
    when session.status = 'revoked' then 'revoked'
    when agent_session_end(session) <= at then 'expired'
    else 'active' end
$$;

-- Agent tokens by hash, each with a permit for `count` requests that came with it: one bucket per token. Unknown tokens are left
-- out; revoked and expired ones are told. `stamp` changes with the organization's row.
create function admit_agents(hashes bytea[], counts integer[], period double precision, burst integer)
returns table (
  place bigint, session_id uuid, agent_id uuid, wallet_id uuid, organization_id uuid, stamp text, state text, now_ms double precision,
  granted integer, remaining integer, retry_seconds double precision, reset_seconds double precision
) language plpgsql as $$
declare
  at_now timestamptz := app_now();
begin
  return query
    with found as materialized (
      select a.place, a.n, s.*
      from unnest(hashes, counts) with ordinality as a(hash, n, place)
      -- Each by its index, as in admit_keys.
      cross join lateral (
        select t.id, t.agent_id, t.wallet_id, t.organization_id, o.xmin::text as stamp,
          -- agent_session_state, whose calls would cost as much as all the rest; these sessions have a token.
          case
            when t.status = 'revoked' then 'revoked'
            when least(t.expires_at, (g.policy ->> 'expires_at')::timestamptz,
              t.created_at + (r.rules ->> 'max_session_ttl_seconds')::bigint * interval '1 second') <= at_now then 'expired'
            else 'active' end as state,
          t.last_used_at is null or t.last_used_at < at_now - interval '1 minute' as is_stale
        from agent_sessions t join organizations o on o.id = t.organization_id
        left join agents g on g.id = t.agent_id
        left join organization_rules r on r.organization_id = t.organization_id
        where t.token_hash = a.hash offset 0) s),
    -- A row that somebody commits a signature for is left to the next call: no one ever waits for this.
    free as (
      select t.id from agent_sessions t
      where t.id = any(array(select f.id from found f where f.is_stale and f.state = 'active'))
      for no key update skip locked),
    touched as (update agent_sessions t set last_used_at = date_trunc('milliseconds', at_now) from free where t.id = free.id),
    asked as (
      select array_agg('agent:' || f.id) as keys, array_agg(f.n) as counts, array_agg(period) as periods, array_agg(burst) as bursts
      from found f)
    select f.place, f.id, f.agent_id, f.wallet_id, f.organization_id, f.stamp, f.state,
      (extract(epoch from at_now) * 1000)::double precision, p.granted, p.remaining, p.retry_seconds, p.reset_seconds
    from asked, take_permits(asked.keys, asked.counts, asked.periods, asked.bursts) p
    join found f on p.key = 'agent:' || f.id
    where asked.keys is not null;
end $$;
