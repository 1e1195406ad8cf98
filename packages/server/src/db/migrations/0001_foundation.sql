-- The one clock of every limit and expiry. Development replaces it to move time for all processes at once.
create function app_now() returns timestamptz language sql volatile parallel safe as 'select clock_timestamp()';

create table organizations (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  country text not null default '',
  signing_mode text not null check (signing_mode in ('client', 'tee')),
  supported_networks text[] not null,
  recovery_mode text not null default 'service_managed' check (recovery_mode in ('service_managed', 'customer_managed')),
  auth_mode text not null default 'service' check (auth_mode in ('service', 'oidc')),
  oidc_issuer text,
  oidc_audience text,
  -- Tokens issued before this moment belong to an earlier auth configuration.
  auth_changed_at timestamptz not null default '-infinity',
  allowed_origins text[] not null default '{}',
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  check (auth_mode = 'service' or (oidc_issuer is not null and oidc_audience is not null))
);

create index organizations_by_origin on organizations using gin (allowed_origins);

-- One row per organization that every event and every wallet of it passes: its lock orders them, so ranks are dense.
create table organization_counters (
  organization_id uuid primary key references organizations,
  wallets bigint not null default 0,
  events bigint not null default 0,
  events_succeeded bigint not null default 0,
  -- Events by type and outcome: element 2 * type + 1 failed, 2 * type + 2 succeeded (type = index in the contract's list).
  events_by_type bigint[] not null default '{}',
  -- Events that could not be written and that no audit.gap event has told about yet.
  events_missed bigint not null default 0
) with (fillfactor = 50);

create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations,
  name text not null,
  type text not null check (type in ('publishable', 'secret')),
  scope text check (scope in ('full', 'read')),
  hash bytea not null unique,
  last4 text not null,
  ip_allowlist cidr[] not null default '{}',
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default app_now(),
  check ((type = 'secret') = (scope is not null))
);
create index api_keys_organization on api_keys (organization_id);

create table identities (
  id uuid primary key,
  organization_id uuid not null references organizations,
  auth_provider text not null check (auth_provider in ('service', 'oidc')),
  issuer text not null default '',
  provider_user_id text not null,
  email text,
  created_at timestamptz not null default app_now(),
  unique (organization_id, auth_provider, issuer, provider_user_id)
);
create index identities_email on identities (organization_id, email);

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

-- Tokens that were logged out, by the hash of what names them, until they would have expired.
create table revoked_tokens (
  organization_id uuid not null references organizations,
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (organization_id, token_hash)
);
create index revoked_tokens_expiry on revoked_tokens (expires_at);

-- One row per address and purpose holds the newest code only, and when the last ones were issued.
create table email_codes (
  organization_id uuid not null references organizations,
  email text not null,
  purpose text not null check (purpose in ('login', 'recovery')),
  code_id uuid not null,
  salt bytea not null,
  code_hash bytea not null,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  issued_at timestamptz[] not null,
  primary key (organization_id, email, purpose)
) with (fillfactor = 50);

-- Buckets only: losing them in a crash forgives, it never loses a count that guards a secret.
create unlogged table rate_limits (
  key text primary key,
  -- GCRA's theoretical arrival time and the clock's time of the last call, in seconds since the epoch.
  tat double precision not null,
  seen_at double precision not null,
  period_seconds double precision not null,
  burst integer not null,
  granted integer not null
) with (fillfactor = 50);

create table outbox (
  id uuid primary key,
  kind text not null check (kind in ('mail')),
  -- Sealed under a key of the server: a mail holds a code and an address.
  sealed_payload bytea not null,
  attempts integer not null default 0,
  -- While a worker sends, this is the end of its lease: whoever finds it past takes the row over.
  next_attempt_at timestamptz not null,
  -- After it the content is worthless (a login code) and the row is dropped.
  expires_at timestamptz,
  created_at timestamptz not null default app_now()
);
create index outbox_due on outbox (next_attempt_at);

create table idempotency_keys (
  scope bytea not null,
  key text not null,
  body_hash bytea not null,
  state text not null check (state in ('running', 'answered', 'spent')),
  -- Names the attempt that runs, so that a late one cannot answer for a newer one.
  attempt_id uuid not null,
  status integer,
  -- Sealed under a key of the server: answers hold personal data.
  sealed_answer bytea,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (scope, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

create table audit_events (
  organization_id uuid not null,
  -- Rank in the organization from 1; the Merkle leaf index is n - 1.
  n bigint not null,
  -- Ranks among the events of the same type, of the same outcome, and of both.
  n_type bigint not null,
  n_success bigint not null,
  n_type_success bigint not null,
  type smallint not null,
  success boolean not null,
  id uuid not null,
  at timestamptz not null,
  user_identity_id uuid,
  wallet_id uuid,
  actor_type text not null,
  actor_id text not null,
  payload jsonb not null,
  error_code text not null,
  primary key (organization_id, n)
);
create unique index audit_events_by_type on audit_events (organization_id, type, n_type);
create unique index audit_events_by_success on audit_events (organization_id, success, n_success);
create unique index audit_events_by_type_success on audit_events (organization_id, type, success, n_type_success);
create unique index audit_events_by_id on audit_events (id);
