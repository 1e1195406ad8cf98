-- End users and the credentials that they log in with.

create table identities (
  id uuid primary key,
  organization_id uuid not null references organizations,
  auth_provider text not null check (auth_provider in ('service', 'oidc')),
  issuer text not null default '',
  provider_user_id text not null,
  email text,
  created_at timestamptz not null default app_now(),
  -- Dense in the organization; the trigger `number_identities` sets it.
  org_seq bigint,
  unique (organization_id, auth_provider, issuer, provider_user_id)
);
create index identities_email on identities (organization_id, email);
create unique index identities_by_seq on identities (organization_id, org_seq);

-- End users by a dense sequence per organization: the list's position and its total. Users are never removed.
create table identity_counters (
  organization_id uuid primary key references organizations,
  identities bigint not null
) with (fillfactor = 50);

-- Tokens that were logged out, by the hash of their name, until they would have expired.
create table revoked_tokens (
  organization_id uuid not null references organizations,
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (organization_id, token_hash)
);
create index revoked_tokens_expiry on revoked_tokens (expires_at);

-- Tokens of identity providers that were accepted before, so that a login is one event, however many processes see its token.
create table accepted_tokens (
  organization_id uuid not null references organizations,
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (organization_id, token_hash)
);
create index accepted_tokens_expiry on accepted_tokens (expires_at);

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
