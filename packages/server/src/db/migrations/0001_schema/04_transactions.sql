-- Transactions on their way, smart accounts, and their sponsored operations.

-- One row per (wallet, chain, factory). Addresses are EIP-55 texts.
create table smart_accounts (
  id uuid primary key,
  organization_id uuid not null references organizations,
  wallet_id uuid not null references wallets,
  chain text not null,
  chain_id bigint not null,
  factory text not null,
  entry_point text not null,
  address text not null,
  owner_address text not null,
  -- Whether code was seen at the address; the chain is the truth.
  deployed boolean not null,
  created_by text not null check (created_by in ('end_user', 'owner')),
  created_at timestamptz not null,
  unique (wallet_id, chain, factory)
);

-- Signed transactions on their way to a node: written before they are sent, deleted with the audit event that records
-- how it went. A row that stays is of a process that died in between; the process that finds it due sends it again.
create table broadcasts (
  id uuid primary key,
  organization_id uuid not null references organizations,
  wallet_id uuid not null references wallets,
  user_identity_id uuid not null references identities,
  chain text not null,
  tx_hash text not null,
  raw_tx bytea not null,
  created_at timestamptz not null,
  next_attempt_at timestamptz not null
);
create index broadcasts_due on broadcasts (next_attempt_at);

-- The gas that sponsorship has reserved and paid, per wallet and calendar month (UTC), in micro-EUR over all chains.
create table sponsor_months (
  wallet_id uuid not null references wallets,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  reserved_micro bigint not null default 0 check (reserved_micro >= 0),
  settled_micro bigint not null default 0 check (settled_micro >= 0),
  primary key (wallet_id, month)
) with (fillfactor = 50);

-- One row per operation. Unsubmitted: `building` (reserved, the paymaster is not asked yet), `built`, or `expired` without
-- `submitted_at`. Submitted: `sending` (the signature is durable, and the bundler may have it), `sent`, and the ends
-- `confirmed` and `failed` (in a block), `rejected`, `expired` and `replaced` (in none).
create table user_operations (
  id uuid primary key,
  organization_id uuid not null references organizations,
  user_identity_id uuid not null references identities,
  wallet_id uuid not null references wallets,
  smart_account_id uuid not null references smart_accounts,
  chain text not null,
  chain_id bigint not null,
  sender text not null,
  owner_address text not null,
  state text not null check (state in
    ('building', 'built', 'sending', 'sent', 'confirmed', 'failed', 'rejected', 'expired', 'replaced')),
  -- All fields but the signature, as the RPC spells them.
  operation jsonb not null,
  hash text unique,
  -- Whether it brings the account's code along.
  deploys boolean not null,

  -- Sponsorship: the month it counts in, its worst cost and its price (EUR x 10^8 per native unit).
  -- All null when the account pays for itself.
  month text,
  reserve_micro bigint check (reserve_micro >= 0),
  price_eur_e8 numeric(78, 0),
  price_source text,
  price_at timestamptz,
  -- What the month holds for it now, and what it has cost: the trigger `move_sponsorship` moves the month's sums with these two.
  held_micro bigint generated always as
    (case when state in ('building', 'built', 'sending', 'sent') then coalesce(reserve_micro, 0) else 0 end) stored,
  settled_micro bigint,

  -- On the chain's clock (unix seconds): until when it can be submitted, and from when on it cannot be confirmed.
  chain_expires_at bigint,
  valid_until bigint,
  -- No block before this one can have it.
  from_block bigint not null,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz,

  signature text,
  submitted_at timestamptz,
  -- Names the newest submission; the next one is due at `next_send_at`.
  attempt_id uuid,
  sends integer not null default 0,
  next_send_at timestamptz,
  -- The head at which its nonce was first seen used.
  nonce_taken_at_block bigint,
  -- Whether the chain may still change what we know of it.
  is_followed boolean not null default false,

  block_number bigint,
  block_hash text,
  transaction_hash text,
  succeeded boolean,
  reason text,
  actual_gas_cost_wei numeric(78, 0),
  confirmed_at timestamptz,

  check ((month is null) = (reserve_micro is null) and (month is null) = (price_eur_e8 is null)),
  check (state = 'building' or hash is not null or (state = 'expired' and submitted_at is null)),
  check ((submitted_at is null) = (signature is null)),
  check ((submitted_at is null) = (state in ('building', 'built') or (state = 'expired' and signature is null))),
  check ((state in ('confirmed', 'failed')) = (block_hash is not null)),
  check ((state in ('confirmed', 'failed')) = (actual_gas_cost_wei is not null)),
  check ((settled_micro is not null) = (reserve_micro is not null and state in ('confirmed', 'failed')))
) with (fillfactor = 70);
create index user_operations_unsubmitted on user_operations (expires_at) where state in ('building', 'built');
create index user_operations_followed on user_operations (chain, id) where is_followed;
create index user_operations_unused on user_operations (created_at) where state = 'expired' and submitted_at is null;
create index user_operations_deploying on user_operations (smart_account_id) where deploys and state in ('sending', 'sent');

-- The process that follows the operations of a chain; another one takes over when its lease has ended.
create table settlement_leases (
  chain text primary key,
  holder uuid not null,
  expires_at timestamptz not null
) with (fillfactor = 50);
