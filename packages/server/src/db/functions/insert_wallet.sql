-- Inserts a wallet with the next dense sequence number of its organization, once per (organization, identity, curve), and only
-- while the organization signs in the wallet's mode: a change of the mode takes the same counter lock, so no request that read the
-- mode before creates one. Returns nothing otherwise. Call it in a transaction; the counter row stays locked until its end.
create or replace function insert_wallet(w wallets) returns setof wallets language plpgsql as $$
declare
  made wallets;
begin
  w.status := 'active';
  w.created_at := date_trunc('milliseconds', app_now());
  w.updated_at := w.created_at;
  select c.wallets + 1 into w.org_seq from organization_counters c where c.organization_id = w.organization_id for update;
  if not exists (select from organizations o where o.id = w.organization_id and o.signing_mode = w.signing_mode) then return; end if;
  insert into wallets select w.* on conflict (organization_id, user_identity_id, curve) do nothing returning * into made;
  if made.id is null then return; end if;
  update organization_counters set wallets = made.org_seq where organization_id = made.organization_id;
  insert into wallet_addresses (organization_id, address, wallet_id)
    select distinct made.organization_id, a.value, made.id from jsonb_each_text(made.addresses) a;
  perform count_wallet(made.organization_id, made.org_seq, made.curve, made.status, 1);
  return next made;
end $$;
