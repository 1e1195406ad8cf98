-- The provider's side of each polynomial of a client wallet; the newest version is in force, older ones are rotated and empty.
create table wallet_shares (
  wallet_id uuid not null references wallets,
  polynomial_version integer not null,
  organization_id uuid not null references organizations,
  provider_index smallint not null check (provider_index between 1 and 255),
  -- Sealed (purpose provider). Rotation leaves nothing of it: an old pair must not rebuild the key.
  provider_envelope bytea,
  provider_key_version integer,
  recovery_index smallint not null check (recovery_index between 1 and 255),
  -- Where the recovery share of this very polynomial is, whatever the organization's mode has become since.
  recovery_at text not null check (recovery_at in ('local', 'webhook')),
  recovery_id uuid,
  created_at timestamptz not null default app_now(),
  rotated_at timestamptz,
  primary key (wallet_id, polynomial_version),
  check (provider_index <> recovery_index),
  check ((recovery_at = 'local') = (recovery_id is not null)),
  check ((provider_envelope is null) = (rotated_at is not null)),
  check ((provider_envelope is null) = (provider_key_version is null))
);
create unique index wallet_shares_in_force on wallet_shares (wallet_id) where rotated_at is null;
create index wallet_shares_by_key_version on wallet_shares (provider_key_version, wallet_id)
  where provider_key_version is not null;

-- Recovery shares that we keep ourselves (service-managed mode). A share is stored before the wallet or the version that it
-- belongs to exists, hence no reference; whoever never comes into force is swept or rotated.
create table recovery_shares (
  id uuid primary key,
  organization_id uuid not null references organizations,
  wallet_id uuid not null,
  polynomial_version integer not null,
  share_index smallint not null,
  envelope bytea,
  key_version integer,
  stored_at timestamptz not null default app_now(),
  rotated_at timestamptz,
  check ((envelope is null) = (rotated_at is not null)),
  check ((envelope is null) = (key_version is null))
);
create index recovery_shares_by_wallet on recovery_shares (wallet_id) where rotated_at is null;
create index recovery_shares_by_time on recovery_shares (stored_at);
create index recovery_shares_by_key_version on recovery_shares (key_version, id) where key_version is not null;

create table recovery_processes (
  id uuid primary key,
  organization_id uuid not null references organizations,
  user_identity_id uuid not null references identities,
  wallet_id uuid not null references wallets,
  -- Where the code went, and where the news of the recovery will go.
  email text not null,
  state text not null default 'open' check (state in ('open', 'verified', 'completed', 'locked', 'expired')),
  salt bytea not null,
  code_hash bytea not null,
  -- Taken before a code is compared, given back only to the right one.
  attempts integer not null default 0,
  code_expires_at timestamptz not null,
  expires_at timestamptz not null,
  -- Who completes it right now, and until when nobody else may.
  attempt_id uuid,
  attempt_ends_at timestamptz,
  created_at timestamptz not null
);
create unique index recovery_processes_live on recovery_processes (wallet_id) where state in ('open', 'verified');
create index recovery_processes_by_wallet on recovery_processes (wallet_id, created_at desc);
create index recovery_processes_by_time on recovery_processes (created_at);

-- Recovery shares that were sent to be stored under a version not yet in force. The fate of a sending that timed out or whose
-- process died is unknown, and it may still arrive: another share never goes under its version.
create table recovery_offers (
  wallet_id uuid not null references wallets,
  polynomial_version integer not null,
  share_hash bytea not null,
  primary key (wallet_id, polynomial_version)
);

-- The state as it is now: time and the fifth guess end a process without anybody writing it down.
create function recovery_state(p recovery_processes) returns text language sql volatile as $$
  select case
    when p.state = 'open' and p.attempts >= 5 then 'locked'
    when p.state in ('open', 'verified') and p.expires_at <= app_now() then 'expired'
    else p.state end
$$;

-- Reserves a verified process for one attempt to complete it, and names the version its shares go under: that of an earlier
-- attempt with the very same recovery share, else one that no share was ever sent under. `version` is null unless reserved;
-- `state` is `busy` while another attempt holds the process, and otherwise the process's own.
create function claim_recovery(process uuid, attempt uuid, offered_hash bytea, lease interval)
returns table (state text, version integer, is_new_offer boolean) language plpgsql as $$
declare
  p recovery_processes;
  in_force integer;
begin
  select * into p from recovery_processes r where r.id = process for update;
  state := recovery_state(p);
  if state = 'verified' and p.attempt_ends_at > app_now() then state := 'busy'; end if;
  if state <> 'verified' then
    return next;
    return;
  end if;
  select w.polynomial_version into in_force from wallets w where w.id = p.wallet_id;
  select o.polynomial_version into version from recovery_offers o
    where o.wallet_id = p.wallet_id and o.polynomial_version > in_force and o.share_hash = offered_hash;
  is_new_offer := version is null;
  if is_new_offer then
    select greatest(in_force, max(o.polynomial_version)) + 1 into version from recovery_offers o where o.wallet_id = p.wallet_id;
    insert into recovery_offers (wallet_id, polynomial_version, share_hash) values (p.wallet_id, version, offered_hash);
  end if;
  update recovery_processes r set attempt_id = attempt, attempt_ends_at = app_now() + lease where r.id = process;
  return next;
end $$;
