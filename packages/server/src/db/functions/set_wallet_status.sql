-- Archives or unarchives a wallet. Returns it with `changed` false when it had the status already, and nothing when it does not exist.
-- Takes the organization's counter lock first, as every commit of a signature does.
create or replace function set_wallet_status(organization uuid, wallet uuid, new_status text)
returns table (changed boolean, user_identity_id uuid, curve text) language plpgsql as $$
declare
  found_wallet wallets;
begin
  perform 1 from organization_counters c where c.organization_id = organization for update;
  select * into found_wallet from wallets w where w.id = wallet and w.organization_id = organization for update;
  if found_wallet.id is null then return; end if;
  changed := found_wallet.status <> new_status;
  user_identity_id := found_wallet.user_identity_id;
  curve := found_wallet.curve;
  if changed then
    update wallets w set status = new_status, updated_at = app_now(),
      archived_at = case when new_status = 'archived' then app_now() end
      where w.id = wallet;
    perform count_wallet(organization, found_wallet.org_seq, found_wallet.curve, found_wallet.status, -1);
    perform count_wallet(organization, found_wallet.org_seq, found_wallet.curve, new_status, 1);
  end if;
  return next;
end $$;
