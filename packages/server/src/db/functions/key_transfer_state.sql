-- The current state: time and the fifth wrong guess end a transfer without a write.
create or replace function key_transfer_state(t key_transfers) returns text language sql volatile as $$
  select case
    when t.state in ('open', 'delayed') and t.attempts >= 5 then 'locked'
    when t.state in ('open', 'delayed') and t.expires_at <= app_now() then 'expired'
    else t.state end
$$;
