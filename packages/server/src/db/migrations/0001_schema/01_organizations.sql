-- phase: expand

-- Organizations, their API keys, and the people who manage them in the portal.

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
  -- What the wallet frame shows of the organization, and whether it asks before it signs.
  logo_url text check (length(logo_url) <= 2048 and logo_url ~ '^https://'),
  brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  support_email text check (length(support_email) between 3 and 254),
  sign_confirmation boolean not null default true,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  -- Rises with every update, by the trigger `bump_version`: a cached row is current while its `version` is.
  version bigint not null default 1,
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
  -- Events that could not be written, and that no audit.gap event has reported yet.
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
  -- As in `organizations`.
  version bigint not null default 1,
  check ((type = 'secret') = (scope is not null))
);
create index api_keys_organization on api_keys (organization_id);

-- People who use the portal: known by their mail address from their invitation on, and by issuer and subject at the identity provider from
-- their first login on.
create table portal_users (
  id uuid primary key,
  email text not null unique,
  name text not null default '',
  issuer text,
  subject text,
  created_at timestamptz not null default app_now(),
  unique (issuer, subject),
  check ((issuer is null) = (subject is null))
);

create table organization_members (
  id uuid primary key,
  organization_id uuid not null references organizations,
  user_id uuid not null references portal_users,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  created_at timestamptz not null default app_now(),
  unique (organization_id, user_id)
);
create index organization_members_user on organization_members (user_id);

create table portal_sessions (
  id uuid primary key,
  user_id uuid not null references portal_users,
  token_hash bytea not null unique,
  created_at timestamptz not null default app_now(),
  -- Moved at most once a minute; a session that is not used for long ends early.
  last_seen_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index portal_sessions_expiry on portal_sessions (expires_at);

-- Logins under way at the identity provider, each deleted by the one callback that may finish it.
create table portal_logins (
  cookie_hash bytea primary key,
  state text not null,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index portal_logins_expiry on portal_logins (expires_at);

-- Usage per organization, day (UTC) and kind: counted with the events, read without scanning them. Kinds are
-- `wallets_created`, `signatures.<network>`, `share_releases`, `refusals`, `errors`, and `sponsored_micro` (micro-EUR).
create table usage_days (
  organization_id uuid not null references organizations,
  day date not null,
  kind text not null,
  amount bigint not null,
  primary key (organization_id, day, kind)
) with (fillfactor = 50);
