-- phase: expand
-- The enclave's key ring: whose versions wrap the data keys of TEE wallets and of agents' grants.

create table enclave_rings (
  -- The RFC 7638 thumbprint of the ring's root key.
  id text primary key check (id ~ '^[A-Za-z0-9_-]{43}$'),
  created_at timestamptz not null default app_now()
);
-- An installation has one ring: a second one could only come from another installation, or from a mistake.
create unique index enclave_rings_single on enclave_rings ((true));

create table enclave_ring_versions (
  ring_id text not null references enclave_rings,
  version integer not null check (version > 0),
  state text not null default 'current' check (state in ('current', 'retired')),
  created_at timestamptz not null default app_now(),
  primary key (ring_id, version)
);

-- Null in client mode, and in wallets from before rings had ids until their ring is adopted.
alter table wallets add column ring_id text references enclave_rings;
alter table wallets add constraint wallets_tee_ring check (signing_mode = 'client' or ring_id is not null) not valid;
create index wallets_without_ring on wallets (id) where signing_mode = 'tee' and ring_id is null;
