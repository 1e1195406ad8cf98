-- People who use the portal: known by their mail address from an invitation on, and by what the identity provider calls them
-- (issuer and subject) from their first login on.
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
  -- Moved at most once a minute; a session that nobody used for long is over before its end.
  last_seen_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index portal_sessions_expiry on portal_sessions (expires_at);

-- Logins on their way through the identity provider: taken out by the one callback that may finish them.
create table portal_logins (
  cookie_hash bytea primary key,
  state text not null,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index portal_logins_expiry on portal_logins (expires_at);
