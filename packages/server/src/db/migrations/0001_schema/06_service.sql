-- What the service itself needs: limits, idempotency, outgoing mail and webhooks.

-- Buckets only: losing them in a crash grants more requests, but never loses a count that guards a secret.
create unlogged table rate_limits (
  key text primary key,
  -- GCRA's theoretical arrival time and the clock's time of the last call, in seconds since the epoch.
  tat double precision not null,
  seen_at double precision not null,
  period_seconds double precision not null,
  burst integer not null,
  granted integer not null
) with (fillfactor = 50);

create table idempotency_keys (
  scope bytea not null,
  key text not null,
  body_hash bytea not null,
  state text not null check (state in ('running', 'answered', 'spent')),
  -- Names the attempt that runs, so that a late one cannot complete a newer one.
  attempt_id uuid not null,
  -- The process that runs the attempt: when it dies, so do its attempts.
  process_id uuid,
  status integer,
  -- Sealed under a key of the server: responses hold personal data.
  sealed_answer bytea,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (scope, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

create table outbox (
  id uuid primary key,
  kind text not null check (kind in ('mail', 'webhook')),
  -- Sealed under a key of the server: a mail holds a code and an address.
  sealed_payload bytea not null,
  attempts integer not null default 0,
  -- While a worker sends, this is the end of its lease, after which another worker takes the row over.
  next_attempt_at timestamptz not null,
  -- After it the content is worthless (a login code) and the row is dropped.
  expires_at timestamptz,
  created_at timestamptz not null default app_now()
);
create index outbox_due on outbox (kind, next_attempt_at);

-- Where an organization's recovery shares go in customer-managed mode. Secrets are sealed (purpose webhook), each under its own id.
create table webhooks (
  organization_id uuid primary key references organizations,
  url text not null,
  -- A public P-256 JWK: shares are sealed to it.
  encryption_key jsonb,
  secret_id uuid not null,
  sealed_secret bytea not null,
  -- The secret before the last rotation: it signs beside the new one until then.
  earlier_secret_id uuid,
  earlier_sealed_secret bytea,
  earlier_ends_at timestamptz,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  check ((earlier_secret_id is null) = (earlier_sealed_secret is null)),
  check ((earlier_secret_id is null) = (earlier_ends_at is null))
);

-- The outcomes of the latest calls of an organization's webhook, never their content.
create table webhook_deliveries (
  organization_id uuid not null references organizations,
  id uuid not null,
  message_id uuid not null,
  type text not null,
  at timestamptz not null default app_now(),
  status integer,
  error text,
  duration_ms integer not null,
  primary key (organization_id, id)
);
