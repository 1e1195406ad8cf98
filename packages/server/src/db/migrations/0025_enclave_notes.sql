-- phase: expand
-- What the enclave has yet to be told: sessions that were revoked and wallets whose status changed. A row goes once the enclave has
-- answered; the functions `note_revoked_session` and `note_wallet_status` write them.
create table enclave_notes (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null,
  kind text not null check (kind in ('session_revoked', 'wallet_archived', 'wallet_active')),
  subject_id uuid not null,
  -- Microseconds since 1970, by the clock of the database: of two notes about one wallet, the later one holds.
  changed_at bigint not null default floor(extract(epoch from clock_timestamp()) * 1000000),
  -- When a session would have ended by itself.
  ends_at timestamptz
);
