-- Inserts a smart account, once per (wallet, chain, factory) and only for an active wallet; returns nothing otherwise.
-- The counter row that archiving locks is locked first, so the status is that of this moment. Call it in a transaction.
create or replace function insert_smart_account(a smart_accounts) returns setof smart_accounts language plpgsql as $$
begin
  perform 1 from organization_counters c where c.organization_id = a.organization_id for update;
  a.created_at := date_trunc('milliseconds', app_now());
  return query
    insert into smart_accounts
    select a.* from wallets w
    where w.id = a.wallet_id and w.organization_id = a.organization_id and w.status = 'active'
    on conflict (wallet_id, chain, factory) do nothing
    returning *;
end $$;
