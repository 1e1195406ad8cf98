-- The current state: time and the fifth wrong guess end a process without a write.
create or replace function recovery_state(p recovery_processes) returns text language sql volatile as $$
  select case
    when p.state in ('open', 'delayed') and p.attempts >= 5 then 'locked'
    when p.state in ('open', 'delayed', 'verified') and p.expires_at <= app_now() then 'expired'
    else p.state end
$$;
