-- A private key on its way out of the enclave, or into it: what the mailed code of the owner allows once.
create table key_transfers (
  id uuid primary key,
  kind text not null check (kind in ('export', 'import')),
  organization_id uuid not null references organizations,
  user_identity_id uuid not null references identities,
  -- Of an import: the id that the wallet will have, hence no reference.
  wallet_id uuid not null,
  curve text not null,
  -- Where the code went, and where the news will go.
  email text not null,
  state text not null default 'open' check (state in ('open', 'completed', 'locked', 'expired')),
  salt bytea not null,
  code_hash bytea not null,
  -- Taken before a code is compared, given back only to the right one.
  attempts integer not null default 0,
  -- The key of the enclave's boot that the imported key is sealed to.
  import_key bytea,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  check ((kind = 'import') = (import_key is not null))
);
create unique index key_transfers_live on key_transfers (user_identity_id, curve, kind) where state = 'open';
create index key_transfers_by_owner on key_transfers (user_identity_id, curve, kind, created_at desc);
create index key_transfers_by_time on key_transfers (created_at);

-- The state as it is now: time and the fifth guess end a transfer without anybody writing it down.
create function key_transfer_state(t key_transfers) returns text language sql volatile as $$
  select case
    when t.state = 'open' and t.attempts >= 5 then 'locked'
    when t.state = 'open' and t.expires_at <= app_now() then 'expired'
    else t.state end
$$;
