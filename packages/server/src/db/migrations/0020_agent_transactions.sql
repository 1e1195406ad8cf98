-- Which process may make the next transaction of a wallet on a chain: one at a time, until the lease ends by this clock. `next`
-- is the nonce after the newest that was committed; the chain may know a higher one.
create table agent_nonces (
  wallet_id uuid not null references wallets,
  chain text not null,
  next numeric(20, 0) not null default 0,
  holder uuid,
  lease_until timestamptz,
  primary key (wallet_id, chain),
  check ((holder is null) = (lease_until is null))
) with (fillfactor = 50);

-- Transactions of agents, signed: written before a node sees them. `sending`: no node has taken it yet; `sent`: one has, and may
-- forget it again; `seen`: the chain counts its nonce; `refused`: a node would not have it, and its nonce is free for the next
-- one, which makes it `replaced`.
create table agent_transactions (
  id uuid primary key,
  organization_id uuid not null references organizations,
  session_id uuid not null references agent_sessions,
  wallet_id uuid not null references wallets,
  user_identity_id uuid not null references identities,
  chain text not null,
  sender text not null,
  nonce numeric(20, 0) not null,
  -- Of whoever asked: the same key again is the same transaction.
  attempt_key text,
  tx_hash text not null,
  raw_tx bytea not null,
  state text not null default 'sending' check (state in ('sending', 'sent', 'seen', 'refused', 'replaced')),
  created_at timestamptz not null default app_now(),
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  check ((state in ('sending', 'sent')) = (next_attempt_at is not null)),
  unique (session_id, attempt_key)
) with (fillfactor = 70);
create unique index agent_transactions_nonce on agent_transactions (wallet_id, chain, nonce) where state <> 'replaced';
create index agent_transactions_due on agent_transactions (next_attempt_at) where state in ('sending', 'sent');
create index agent_transactions_refused on agent_transactions (wallet_id, chain, nonce) where state = 'refused';
