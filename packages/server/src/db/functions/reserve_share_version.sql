-- Names the version that new shares of a wallet go under: that of an earlier attempt with the very same recovery share, else
-- one that no share was ever sent under. The wallet's row is locked, so this waits for other reservations and switches.
create or replace function reserve_share_version(wallet uuid, offered_hash bytea, out in_force integer, out version integer,
  out is_new_offer boolean) language plpgsql as $$
begin
  select w.polynomial_version into in_force from wallets w where w.id = wallet for no key update;
  select o.polynomial_version into version from recovery_offers o
    where o.wallet_id = wallet and o.polynomial_version > in_force and o.share_hash = offered_hash;
  is_new_offer := version is null;
  if is_new_offer then
    select greatest(in_force, max(o.polynomial_version)) + 1 into version from recovery_offers o where o.wallet_id = wallet;
    insert into recovery_offers (wallet_id, polynomial_version, share_hash) values (wallet, version, offered_hash);
  end if;
end $$;
