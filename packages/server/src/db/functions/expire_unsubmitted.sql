-- Expires operations that were not submitted in time, and those of builds that never finished. Returns how many.
-- All months are locked before the first changes: those of wallets, then those of their organizations, then the installation's, each in the
-- order of their keys. A change of one operation locks in the same order, so the two can't deadlock.
create or replace function expire_unsubmitted(rows_max integer) returns integer language plpgsql as $$
declare
  due constant uuid[] := array(
    select u.id from user_operations u
    where u.state in ('building', 'built') and u.expires_at <= app_now()
    order by u.organization_id, u.wallet_id, u.month, u.id limit rows_max for update skip locked);
begin
  perform from sponsor_months m
  where (m.wallet_id, m.month) in (select u.wallet_id, u.month from user_operations u where u.id = any(due))
  order by m.wallet_id, m.month for no key update;
  perform from organization_gas_months m
  where (m.organization_id, m.month) in (select u.organization_id, u.month from user_operations u where u.id = any(due))
  order by m.organization_id, m.month for no key update;
  perform from installation_gas_months m
  where m.month in (select u.month from user_operations u where u.id = any(due))
  order by m.month for no key update;
  update user_operations set state = 'expired' where id = any(due);
  return cardinality(due);
end $$;
