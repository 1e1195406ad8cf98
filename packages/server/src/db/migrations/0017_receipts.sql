-- phase: expand
-- Receipts of signatures, and the setting that makes every signature of an organization have one.

alter table organizations add column receipts boolean not null default false;

-- The number of receipts that are stored: the cursor of the last one.
alter table organization_counters add column receipts bigint not null default 0;

-- The receipt that a transaction's signature has, for a repeat of its request.
alter table agent_transactions add column receipt_id uuid;

-- The numbers that a receipt key gives to an organization's receipts, from 1 without gaps. Its attestation comes first.
create table receipt_numbers (
  organization_id uuid not null references organizations,
  kid text not null references enclave_receipt_keys,
  -- The highest number that is known, and the one up to which all are: those between may be on their way, or lost.
  highest bigint not null,
  settled bigint not null default 0,
  checked_at timestamptz not null default app_now(),
  primary key (organization_id, kid)
) with (fillfactor = 70);
create index receipt_numbers_open on receipt_numbers (checked_at) where settled < highest;

-- One row per number: the receipt that left with its signature, or that neither left (`receipt.voided`).
create table receipts (
  organization_id uuid not null,
  kid text not null,
  counter bigint not null check (counter > 0),
  stored_at timestamptz not null,
  -- Null where the signature did not leave. Cursors are dense in the organization, from 1.
  cursor bigint,
  receipt_id uuid,
  wallet_id uuid,
  issued_at timestamptz,
  jws text,
  primary key (organization_id, kid, counter),
  foreign key (organization_id, kid) references receipt_numbers,
  check (num_nulls(cursor, receipt_id, wallet_id, issued_at, jws) in (0, 5))
);
create unique index receipts_by_cursor on receipts (organization_id, cursor) where cursor is not null;
create unique index receipts_by_id on receipts (receipt_id) where receipt_id is not null;
-- For the filters of the lists, each in the order of the cursors.
create index receipts_by_kid on receipts (organization_id, kid, cursor) where cursor is not null;
create index receipts_by_wallet on receipts (organization_id, wallet_id, cursor) where cursor is not null;
create index receipts_by_wallet_and_kid on receipts (organization_id, wallet_id, kid, cursor) where cursor is not null;
