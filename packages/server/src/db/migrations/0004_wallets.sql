-- Inserts a wallet with the next dense sequence number of its organization, once per (organization, identity, curve).
-- Answers nothing when the user has one already. Call it in a transaction; the counter row stays locked until its end.
create function insert_wallet(w wallets) returns setof wallets language plpgsql as $$
declare
  made wallets;
begin
  w.status := 'active';
  w.created_at := date_trunc('milliseconds', app_now());
  w.updated_at := w.created_at;
  select c.wallets + 1 into w.org_seq from organization_counters c where c.organization_id = w.organization_id for update;
  insert into wallets select w.* on conflict (organization_id, user_identity_id, curve) do nothing returning * into made;
  if made.id is null then return; end if;
  update organization_counters set wallets = made.org_seq where organization_id = made.organization_id;
  insert into wallet_addresses (organization_id, address, wallet_id)
    select distinct made.organization_id, a.value, made.id from jsonb_each_text(made.addresses) a;
  perform count_wallet(made.organization_id, made.org_seq, made.curve, made.status, 1);
  return next made;
end $$;

-- Moves the count of a wallet's block by `change`.
create function count_wallet(organization uuid, seq bigint, curve text, status text, change integer) returns void language sql as $$
  insert into wallet_blocks as b (organization_id, block, secp256k1_active, secp256k1_archived, ed25519_active, ed25519_archived)
  values (organization, seq / 2048,
    case when curve = 'secp256k1' and status = 'active' then change else 0 end,
    case when curve = 'secp256k1' and status = 'archived' then change else 0 end,
    case when curve = 'ed25519' and status = 'active' then change else 0 end,
    case when curve = 'ed25519' and status = 'archived' then change else 0 end)
  on conflict (organization_id, block) do update set
    secp256k1_active = b.secp256k1_active + excluded.secp256k1_active,
    secp256k1_archived = b.secp256k1_archived + excluded.secp256k1_archived,
    ed25519_active = b.ed25519_active + excluded.ed25519_active,
    ed25519_archived = b.ed25519_archived + excluded.ed25519_archived
$$;

-- Archives or unarchives a wallet; answers it with `changed` false when it was so already, nothing when it is not there.
-- Takes the organization's counter lock first, as every commit of a signature does.
create function set_wallet_status(organization uuid, wallet uuid, new_status text)
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
