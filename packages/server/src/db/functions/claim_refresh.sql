-- Reserves the refresh of a wallet for one attempt, until the lease ends or the process `holder` is dead. `version` is null unless reserved; `state` is `claimed`, `busy` while
-- another attempt holds it, or `changed` when the version that it would replace is not in force.
create or replace function claim_refresh(wallet uuid, from_version integer, attempt uuid, offered_hash bytea, lease interval,
  holder uuid default null)
returns table (state text, version integer, is_new_offer boolean) language plpgsql as $$
declare
  in_force integer;
begin
  select w.polynomial_version into in_force from wallets w where w.id = wallet for no key update;
  if in_force is distinct from from_version then
    state := 'changed';
  elsif exists (select from share_refreshes r where r.wallet_id = wallet and r.attempt_ends_at > app_now()) then
    state := 'busy';
  else
    state := 'claimed';
    select v.version, v.is_new_offer into version, is_new_offer from reserve_share_version(wallet, offered_hash) v;
    insert into share_refreshes as r (wallet_id, attempt_id, attempt_ends_at, held_by) values (wallet, attempt, app_now() + lease, holder)
      on conflict (wallet_id) do update set attempt_id = excluded.attempt_id, attempt_ends_at = excluded.attempt_ends_at,
        held_by = excluded.held_by;
  end if;
  return next;
end $$;
