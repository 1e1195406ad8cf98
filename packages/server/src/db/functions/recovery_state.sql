-- The state as it is now: time and the fifth guess end a process without anybody writing it down.
create or replace function recovery_state(p recovery_processes) returns text language sql volatile as $$
  select case
    when p.state = 'open' and p.attempts >= 5 then 'locked'
    when p.state in ('open', 'verified') and p.expires_at <= app_now() then 'expired'
    else p.state end
$$;
