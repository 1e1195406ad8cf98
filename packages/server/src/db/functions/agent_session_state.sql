-- The state of a session at a moment; revoked takes precedence over expired.
create or replace function agent_session_state(session agent_sessions, at timestamptz) returns text language sql stable as $$
  select case
    when session.status = 'revoked' then 'revoked'
    when agent_session_end(session) <= at then 'expired'
    else 'active' end
$$;
