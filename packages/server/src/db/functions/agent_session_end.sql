-- When a session ends under the current rules and its agent's policy; null: never. The organization's longest lifetime is for tokens;
-- the session of an agent's own runs has none.
create or replace function agent_session_end(session agent_sessions) returns timestamptz language sql stable as $$
  select least(session.expires_at,
    (select (a.policy ->> 'expires_at')::timestamptz from agents a where a.id = session.agent_id),
    (select session.created_at + (r.rules ->> 'max_session_ttl_seconds')::bigint * interval '1 second'
      from organization_rules r where r.organization_id = session.organization_id and not session.is_implicit))
$$;
