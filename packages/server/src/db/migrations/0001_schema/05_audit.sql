-- The audit log: events, and the hash tree over them.

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
-- For the list's filters by wallet and by actor.
create index audit_events_by_wallet on audit_events (organization_id, wallet_id, n) where wallet_id is not null;
create index audit_events_by_actor on audit_events (organization_id, actor_id, n);

-- Roots over 256^height events each, from the first on without gaps: with them, any proof costs a few short reads. They
-- follow from the events, which never change, so every process computes the same.
create table audit_subtrees (
  organization_id uuid not null references organizations,
  height smallint not null check (height between 1 and 6),
  position bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (organization_id, height, position)
);

-- The checkpoints that the platform has signed: one root and one moment per size, so that all parties get the same.
create table audit_checkpoints (
  organization_id uuid not null references organizations,
  tree_size bigint not null,
  root_hash bytea not null check (octet_length(root_hash) = 32),
  issued_at timestamptz not null,
  primary key (organization_id, tree_size)
);
