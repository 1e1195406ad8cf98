-- phase: expand
-- Login codes by device, and what bounds asking for them and guessing them: per mailbox, per client address and per organization. It
-- replaces `email_codes`, which the release before this one still writes.

-- The newest code of an address (as normalised) for each device that asked; `nonce_hash` is empty for a code asked without a `client_nonce`.
create table login_codes (
  organization_id uuid not null references organizations,
  email text not null,
  nonce_hash bytea not null,
  code_id uuid not null,
  salt bytea not null,
  code_hash bytea not null,
  attempts integer not null default 0,
  -- The client address that asked, as it is counted; null where it was not. A login with the code gives the place back to it.
  client inet,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  primary key (organization_id, email, nonce_hash)
) with (fillfactor = 50);
create index login_codes_expiry on login_codes (expires_at);

-- What was sent to a mailbox (an address without what follows a `+`) in the last day, and the guesses that failed.
create table login_mailboxes (
  organization_id uuid not null references organizations,
  mailbox text not null,
  -- Codes that strangers asked for, and those asked by devices that had logged in as the user: ten at most of each.
  issued_at timestamptz[] not null default '{}',
  own_issued_at timestamptz[] not null default '{}',
  failed_at timestamptz[] not null default '{}',
  noticed_at timestamptz,
  touched_at timestamptz not null,
  primary key (organization_id, mailbox)
) with (fillfactor = 50);
create index login_mailboxes_by_time on login_mailboxes (touched_at);

-- What a client address (IPv6: its /64) asked of all organizations together: a place per start of the last day whose code was not used, and
-- the failed verifications of the last 15 min.
create table login_clients (
  client inet primary key,
  started_at timestamptz[] not null default '{}',
  started_codes uuid[] not null default '{}',
  failed_at timestamptz[] not null default '{}',
  touched_at timestamptz not null
) with (fillfactor = 50);
create index login_clients_by_time on login_clients (touched_at);

-- Client addresses that logged in to an organization, and when it last served one that had not.
create table login_addresses (
  organization_id uuid not null references organizations,
  client inet not null,
  logged_in_at timestamptz,
  started_at timestamptz,
  touched_at timestamptz not null,
  primary key (organization_id, client)
) with (fillfactor = 50);
create index login_addresses_by_time on login_addresses (touched_at);

-- Starts of an organization and failed verifications against its living codes, by the hour; in slots, so that they do not wait for each other.
create table login_hours (
  organization_id uuid not null references organizations,
  hour timestamptz not null,
  slot smallint not null,
  starts integer not null default 0,
  failures integer not null default 0,
  primary key (organization_id, hour, slot)
) with (fillfactor = 50);
create index login_hours_by_time on login_hours (hour);

-- Organizations whose codes are being guessed: until when unknown client addresses are served slowly, and when the owners were last told.
create table login_alarms (
  organization_id uuid primary key references organizations,
  slow_until timestamptz not null,
  mailed_at timestamptz not null
);

-- Client addresses that the limits per address leave alone, for this organization.
alter table organizations add column trusted_clients inet[] not null default '{}' check (cardinality(trusted_clients) <= 100);

-- Organizations take turns in the outbox. Zero: the platform's own messages.
alter table outbox add column organization_id uuid not null default '00000000-0000-0000-0000-000000000000';
create index outbox_by_turn on outbox (kind, organization_id, next_attempt_at);

-- Whether the organization vouches for the addresses of an issuer whose tokens do not say whether they are verified.
alter table organizations add column oidc_trust_email boolean not null default false;
-- Addresses that tokens brought without saying that they are verified are forgotten; the next login brings the verified ones again.
update identities set email = null where auth_provider = 'oidc' and email is not null;
