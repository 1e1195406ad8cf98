-- What the wallet frame shows of an organization, and whether it asks before it signs.
alter table organizations
  add column logo_url text check (length(logo_url) <= 2048 and logo_url ~ '^https://'),
  add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  add column support_email text check (length(support_email) between 3 and 254),
  add column sign_confirmation boolean not null default true;

-- Which attempt alone may refresh the shares of a wallet, and until when.
create table share_refreshes (
  wallet_id uuid primary key references wallets,
  attempt_id uuid not null,
  attempt_ends_at timestamptz not null
) with (fillfactor = 50);

-- Names the version that new shares of a wallet go under: that of an earlier attempt with the very same recovery share, else
-- one that no share was ever sent under. The wallet's row is locked: whoever reserves or switches meanwhile is waited for.
create function reserve_share_version(wallet uuid, offered_hash bytea, out in_force integer, out version integer,
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

-- As before; the version is now reserved in one place for recovery and refresh.
create or replace function claim_recovery(process uuid, attempt uuid, offered_hash bytea, lease interval)
returns table (state text, version integer, is_new_offer boolean) language plpgsql as $$
declare
  p recovery_processes;
begin
  select * into p from recovery_processes r where r.id = process for update;
  state := recovery_state(p);
  if state = 'verified' and p.attempt_ends_at > app_now() then state := 'busy'; end if;
  if state <> 'verified' then
    return next;
    return;
  end if;
  select v.version, v.is_new_offer into version, is_new_offer from reserve_share_version(p.wallet_id, offered_hash) v;
  update recovery_processes r set attempt_id = attempt, attempt_ends_at = app_now() + lease where r.id = process;
  return next;
end $$;

-- Reserves the refresh of a wallet for one attempt. `version` is null unless reserved; `state` is `claimed`, `busy` while
-- another attempt holds it, or `changed` when the version that it would replace is not in force.
create function claim_refresh(wallet uuid, from_version integer, attempt uuid, offered_hash bytea, lease interval)
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
    insert into share_refreshes as r values (wallet, attempt, app_now() + lease)
      on conflict (wallet_id) do update set attempt_id = excluded.attempt_id, attempt_ends_at = excluded.attempt_ends_at;
  end if;
  return next;
end $$;
