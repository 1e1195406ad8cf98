-- phase: expand
-- The freshness marks of the enclave, sealed by it: what it reads at its next start. Each segment continues the chain of the one before.
create table enclave_marks (
  ring_id text not null references enclave_rings,
  number bigint not null check (number > 0),
  -- The oldest segment that is still needed with this one.
  keep_from bigint not null check (keep_from between 1 and number),
  previous_root bytea not null check (octet_length(previous_root) = 32),
  root bytea not null check (octet_length(root) = 32),
  sealed bytea not null,
  stored_at timestamptz not null default clock_timestamp(),
  primary key (ring_id, number)
);

-- Also what changes the versions of rules and agents' policies.
alter table enclave_notes add column version bigint;
alter table enclave_notes drop constraint enclave_notes_kind_check;
alter table enclave_notes add constraint enclave_notes_kind_check
  check (kind in ('session_revoked', 'wallet_archived', 'wallet_active', 'rules_changed', 'agent_changed'));
