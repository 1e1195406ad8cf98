-- Reserves an amount of a counter; false when it does not fit.
create or replace function hold_agent_counter(session uuid, name text, amount numeric, max_now numeric) returns boolean language plpgsql as $$
begin
  insert into agent_counters as c (session_id, counter, reserved, cap)
    select session, name, amount, max_now where amount <= coalesce(max_now, 10::numeric ^ 78 - 1)
    on conflict (session_id, counter) do update set
      reserved = c.reserved + excluded.reserved,
      cap = case when c.cap is null or excluded.cap is null then null else greatest(c.cap, excluded.cap) end
    where c.spent + c.reserved + excluded.reserved <= coalesce(excluded.cap, 10::numeric ^ 78 - 1);
  return found;
end $$;
