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

-- Webhooks leave beside mails, by workers of their own: a receiver that hangs holds up no login code.
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in ('mail', 'webhook'));
drop index outbox_due;
create index outbox_due on outbox (kind, next_attempt_at);
