-- Expires operations that were not submitted in time, and those of builds that never finished. Returns how many.
-- Months are locked in the order of their keys, those of an organization's wallets together, so that two processes never wait for each
-- other.
create or replace function expire_unsubmitted(rows_max integer) returns integer language plpgsql as $$
declare
  due uuid;
  ended integer := 0;
begin
  for due in
    select u.id from user_operations u
    where u.state in ('building', 'built') and u.expires_at <= app_now()
    order by u.organization_id, u.wallet_id, u.month, u.id limit rows_max for update skip locked
  loop
    update user_operations set state = 'expired' where id = due;
    ended := ended + 1;
  end loop;
  return ended;
end $$;
