-- The status of a session on the wire. `exhausted`: nothing is left of what all layers allow now of a native asset
-- or of the number of transactions. Transactions signed while no cap counted them are in the tally.
create or replace function agent_session_status(session agent_sessions) returns text language sql stable as $$
  select case
    when s.state <> 'active' then s.state
    when exists (
      select from (
        select c.counter, c.spent + c.reserved as used from agent_counters c where c.session_id = session.id
        union all
        select 'transactions', t.transactions from agent_tallies t where t.owner = session.id) c
      group by c.counter
      having sum(c.used) > 0
        and sum(c.used) >= case when c.counter like 'native %' then
          least(s.native, (select min((t.cap ->> 'max')::numeric) from jsonb_array_elements(s.totals) t(cap)
            where t.cap ->> 'asset' = substring(c.counter from '^native (.*)/[0-9]+$'))) when c.counter = 'transactions' then s.transactions end)
    then 'exhausted'
    else s.state end
  from (
    select agent_session_state(session, app_now()) as state,
      least((session.effective ->> 'max_spend_total_native')::numeric, (a.policy ->> 'max_spend_total_native')::numeric,
        (r.rules ->> 'max_native_total_cap')::numeric) as native,
      coalesce(nullif(session.effective -> 'max_spend_total', 'null'), '[]')
        || coalesce(a.policy -> 'max_spend_total', '[]') as totals,
      least((session.effective ->> 'max_tx_count')::numeric, (a.policy ->> 'max_tx_count')::numeric) as transactions
    from (values (1)) one
    left join agents a on a.id = session.agent_id
    left join organization_rules r on r.organization_id = session.organization_id) s
$$;
