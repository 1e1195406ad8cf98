-- Releases one request's hold on a reservation, for a request that certainly led to no signature; the last one frees it.
create or replace function release_agent_spends(session uuid, signed bytea) returns void language plpgsql as $$
declare
  r agent_reservations;
begin
  perform 1 from agent_tallies t where t.owner = session for update;
  update agent_reservations a set holders = a.holders - 1
    where a.session_id = session and a.digest = signed and not a.is_spent and a.holders > 0 returning a.* into r;
  if r.session_id is null or r.holders > 0 then return; end if;
  delete from agent_reservations a where a.session_id = session and a.digest = signed;
  update agent_counters c set reserved = c.reserved - x.amount
    from unnest(r.counters, r.amounts) x(counter, amount)
    where c.session_id = session and c.counter = x.counter;
end $$;
