-- A session's status of the wire. Exhausted: of some native asset, or of the count of transactions, nothing is left of what all layers
-- allow now (the effective policy is the meet of those at the mint).
create function agent_session_status(session agent_sessions) returns text language sql stable as $$
  select case
    when s.state <> 'active' then s.state
    when exists (
      select from agent_counters c
      cross join lateral (
        select
          least((session.effective ->> 'max_spend_total_native')::numeric, (a.policy ->> 'max_spend_total_native')::numeric,
            (r.rules ->> 'max_native_total_cap')::numeric) as native,
          least((session.effective ->> 'max_tx_count')::numeric, (a.policy ->> 'max_tx_count')::numeric) as transactions
        from (values (1)) one
        left join agents a on a.id = session.agent_id
        left join organization_rules r on r.organization_id = session.organization_id) cap
      where c.session_id = session.id and c.spent + c.reserved > 0
        and c.spent + c.reserved >= case
          when c.counter like 'native %' then cap.native
          when c.counter = 'transactions' then cap.transactions end)
    then 'exhausted'
    else s.state end
  from (select agent_session_state(session, app_now()) as state) s
$$;
