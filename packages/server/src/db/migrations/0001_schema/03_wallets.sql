-- Wallets, the shares of their keys, and what moves or restores them.

create table wallets (
  id uuid primary key,
  organization_id uuid not null references organizations,
  user_identity_id uuid not null references identities,
  curve text not null check (curve in ('secp256k1', 'ed25519')),
  chain_type text not null,
  account_type text not null check (account_type = 'eoa'),
  address text not null,
  addresses jsonb not null,
  public_key bytea not null,
  status text not null default 'active' check (status in ('active', 'archived')),
  signing_mode text not null check (signing_mode in ('client', 'tee')),
  polynomial_version integer not null default 1,
  share_a bytea,
  share_b bytea,
  -- Versions of the key-encryption keys around the shares' data keys: what a rewrap looks for.
  key_version_a integer,
  key_version_b integer,
  org_seq bigint not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  archived_at timestamptz,
  unique (organization_id, user_identity_id, curve),
  check (signing_mode = 'client' or (share_a is not null and share_b is not null)),
  check ((status = 'archived') = (archived_at is not null))
) with (fillfactor = 90);
create unique index wallets_by_seq on wallets (organization_id, org_seq);
create index wallets_by_status on wallets (organization_id, status, org_seq);
create index wallets_by_curve on wallets (organization_id, curve, org_seq);
create index wallets_by_curve_status on wallets (organization_id, curve, status, org_seq);
create index wallets_by_key_version_a on wallets (key_version_a, id) where key_version_a is not null;
create index wallets_by_key_version_b on wallets (key_version_b, id) where key_version_b is not null;

-- Every address of every wallet: what the list's address filter looks in.
create table wallet_addresses (
  organization_id uuid not null,
  address text not null,
  wallet_id uuid not null references wallets,
  primary key (organization_id, address, wallet_id)
);

-- Wallets per block of 2,048 sequence numbers by curve and status: a filtered page at any offset skips whole blocks.
create table wallet_blocks (
  organization_id uuid not null references organizations,
  block bigint not null,
  secp256k1_active integer not null default 0,
  secp256k1_archived integer not null default 0,
  ed25519_active integer not null default 0,
  ed25519_archived integer not null default 0,
  primary key (organization_id, block)
) with (fillfactor = 50);

-- The provider's side of each polynomial of a client wallet; the newest version is in force, older ones are rotated and empty.
create table wallet_shares (
  wallet_id uuid not null references wallets,
  polynomial_version integer not null,
  organization_id uuid not null references organizations,
  provider_index smallint not null check (provider_index between 1 and 255),
  -- Sealed (purpose provider). Rotation erases it: an old pair must not rebuild the key.
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
-- belongs to exists, hence no reference; one that never comes into force is swept or rotated.
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

-- Recovery shares that were sent to be stored under a version not yet in force. Whether one arrived that timed out, or whose
-- process died, is unknown, and it may still arrive: its version is never used for another share.
create table recovery_offers (
  wallet_id uuid not null references wallets,
  polynomial_version integer not null,
  share_hash bytea not null,
  primary key (wallet_id, polynomial_version)
);

create table recovery_processes (
  id uuid primary key,
  organization_id uuid not null references organizations,
  user_identity_id uuid not null references identities,
  wallet_id uuid not null references wallets,
  -- Where the code went, and where the notice of the recovery will go.
  email text not null,
  state text not null default 'open' check (state in ('open', 'verified', 'completed', 'locked', 'expired')),
  salt bytea not null,
  code_hash bytea not null,
  -- Counted before a code is compared, and uncounted only for the right one.
  attempts integer not null default 0,
  code_expires_at timestamptz not null,
  expires_at timestamptz not null,
  -- The attempt that completes it now, and until when no other one may.
  attempt_id uuid,
  attempt_ends_at timestamptz,
  created_at timestamptz not null
);
create unique index recovery_processes_live on recovery_processes (wallet_id) where state in ('open', 'verified');
create index recovery_processes_by_wallet on recovery_processes (wallet_id, created_at desc);
create index recovery_processes_by_time on recovery_processes (created_at);

-- The one attempt that may refresh the shares of a wallet, and until when.
create table share_refreshes (
  wallet_id uuid primary key references wallets,
  attempt_id uuid not null,
  attempt_ends_at timestamptz not null
) with (fillfactor = 50);

-- The export or import of a private key, which the mailed code of its owner allows once.
create table key_transfers (
  id uuid primary key,
  kind text not null check (kind in ('export', 'import')),
  organization_id uuid not null references organizations,
  user_identity_id uuid not null references identities,
  -- Of an import: the id that the wallet will have, hence no reference.
  wallet_id uuid not null,
  curve text not null,
  -- Where the code went, and where the notice will go.
  email text not null,
  state text not null default 'open' check (state in ('open', 'completed', 'locked', 'expired')),
  salt bytea not null,
  code_hash bytea not null,
  -- Counted before a code is compared, and uncounted only for the right one.
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
