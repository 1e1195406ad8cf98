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

-- Inserts a smart account, once per (wallet, chain, factory) and only for an active wallet; otherwise it answers nothing.
-- The counter row that archiving locks is locked first, so the status is that of this moment. Call it in a transaction.
create function insert_smart_account(a smart_accounts) returns setof smart_accounts language plpgsql as $$
begin
  perform 1 from organization_counters c where c.organization_id = a.organization_id for update;
  a.created_at := date_trunc('milliseconds', app_now());
  return query
    insert into smart_accounts
    select a.* from wallets w
    where w.id = a.wallet_id and w.organization_id = a.organization_id and w.status = 'active'
    on conflict (wallet_id, chain, factory) do nothing
    returning *;
end $$;

-- Signed transactions on their way to a node: written before they are sent, deleted together with the audit event that
-- tells how it went. What is left belongs to a process that died in between; whoever finds it due sends it again.
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
