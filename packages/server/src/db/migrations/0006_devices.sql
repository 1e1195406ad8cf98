-- phase: expand
-- The devices that users log in with, and the one-use links in emails.

-- Links whose pages act without a login: the token in the email is the credential, so that its keyed hash alone is kept.
create table mailed_links (
  token_hash bytea primary key,
  organization_id uuid not null references organizations,
  kind text not null,
  subject_id uuid not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default app_now()
);
create index mailed_links_expiry on mailed_links (expires_at);

-- A device is named by its `client_nonce`, a bearer secret, of which the keyed hash is kept. A login without one is a device of its own,
-- which nothing names again.
create table devices (
  id uuid primary key,
  organization_id uuid not null references organizations,
  user_identity_id uuid not null references identities,
  nonce_hash bytea,
  first_login_at timestamptz not null,
  last_login_at timestamptz not null,
  -- When the email about the device was queued: what it waits for before it is known counts from then. Null without an address.
  mailed_at timestamptz,
  -- The link of that email was used. The next login makes it a new device.
  forgotten_at timestamptz
);
create unique index devices_by_nonce on devices (organization_id, user_identity_id, nonce_hash) where nonce_hash is not null;
create index devices_by_time on devices (last_login_at);

-- The logins of a device that may still live, by their tokens: forgetting the device ends them.
create table device_tokens (
  device_id uuid not null references devices on delete cascade,
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (device_id, token_hash)
);
create index device_tokens_expiry on device_tokens (expires_at);
