-- Agents: their rules, sessions, budgets, decisions and transactions.

-- The global rules of an organization for all its agents, as on the wire; no row: none are set. `version` rises with every
-- change: a signature evaluated under an older one does not leave.
create table organization_rules (
  organization_id uuid primary key references organizations,
  rules jsonb not null,
  version bigint not null default 1,
  updated_at timestamptz not null default app_now()
);

create table agents (
  id uuid primary key,
  organization_id uuid not null references organizations,
  wallet_id uuid not null references wallets,
  name text not null,
  description text not null,
  runner text not null,
  objective_template text not null,
  policy jsonb not null,
  policy_version bigint not null default 1,
  skills jsonb not null,
  status text not null default 'active' check (status in ('active', 'archived')),
  -- The session of the agent's own runs.
  session_id uuid not null unique,
  created_at timestamptz not null default date_trunc('milliseconds', app_now()),
  updated_at timestamptz not null default date_trunc('milliseconds', app_now()),
  archived_at timestamptz,
  check ((status = 'archived') = (archived_at is not null))
);
create index agents_by_organization on agents (organization_id, id);

create table agent_sessions (
  id uuid primary key,
  organization_id uuid not null references organizations,
  agent_id uuid references agents,
  wallet_id uuid not null references wallets,
  name text not null,
  -- Of an agent's own runs: without a token.
  is_implicit boolean not null,
  token_hash bytea unique,
  token_hint text,
  -- The session's own layer, as it was sealed.
  policy jsonb not null,
  -- The organization's and the agent's layer as they were sealed: `{organization, agent}`, null for none.
  sealed_under jsonb not null,
  -- The intersection of all layers as they were sealed.
  effective jsonb not null,
  -- Of the grant: a new grant has a new version.
  policy_version integer not null default 1,
  -- The enclave's grant of policy and key access; only the token opens it. Revoking erases it.
  grant_sealed bytea,
  clipped text[] not null,
  status text not null default 'active' check (status in ('active', 'revoked')),
  expires_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', app_now()),
  -- Moved at most once a minute.
  last_used_at timestamptz,
  revoked_at timestamptz,
  check ((token_hash is null) = is_implicit),
  check ((token_hint is null) = is_implicit),
  check (not is_implicit or agent_id is not null),
  check ((status = 'revoked') = (revoked_at is not null)),
  check ((status = 'revoked') = (grant_sealed is null))
) with (fillfactor = 50);
create index agent_sessions_by_organization on agent_sessions (organization_id, id);
create index agent_sessions_by_wallet on agent_sessions (wallet_id, id);
create index agent_sessions_by_agent on agent_sessions (agent_id, id) where agent_id is not null;
create unique index agent_sessions_implicit on agent_sessions (agent_id) where is_implicit;
alter table agents add foreign key (session_id) references agent_sessions deferrable initially deferred;

-- What each agent session has spent, and reserved for signatures under way, per counter: `native SYMBOL/DECIMALS`,
-- `token CHAIN ID`, `transactions`. `cap` is the highest there ever was (null: none at first use); lower ones, which an organization may
-- set later, are in the update that reserves.
create table agent_counters (
  session_id uuid not null references agent_sessions,
  counter text not null,
  spent numeric(78, 0) not null default 0 check (spent >= 0),
  reserved numeric(78, 0) not null default 0 check (reserved >= 0),
  cap numeric(78, 0),
  primary key (session_id, counter),
  check (cap is null or spent + reserved <= cap)
) with (fillfactor = 50);

-- One row per signature that costs something, by what is signed: the same bytes again cost nothing. `holders` signing requests hold it
-- until one of them releases the signature (`is_spent`), or all of them know for certain that there is none (then the row is
-- deleted). A request whose process died leaves it held.
create table agent_reservations (
  session_id uuid not null,
  digest bytea not null check (octet_length(digest) = 32),
  counters text[] not null,
  amounts numeric(78, 0)[] not null,
  is_spent boolean not null default false,
  holders integer not null check (holders >= 0),
  created_at timestamptz not null default app_now(),
  -- Whether the commit of this reservation counts its transaction in `agent_tallies`.
  is_uncounted boolean not null default false,
  primary key (session_id, digest)
  -- Each row is changed once, soon: in its own page, so that no index is touched.
) with (fillfactor = 45);

-- How many signing requests a session or a run has had, by outcome. The row of a session is the lock of its budget.
create table agent_tallies (
  owner uuid primary key,
  allowed bigint not null default 0,
  rejected bigint not null default 0,
  failed bigint not null default 0,
  -- Transactions signed while no cap counted them. The commit adds to this row, which it changes anyway; the first reservation under
  -- a cap moves the number into `agent_counters`, where the cap is enforced.
  transactions bigint not null default 0
) with (fillfactor = 50);

-- One row per signing request. `n…` are dense ranks (in the session, in session and outcome, in the run, in run and outcome), so
-- that every page and every total is exact without counting. `outcome`: 0 allowed, 1 rejected, 2 error.
create table agent_events (
  session_id uuid not null,
  n bigint not null,
  n_outcome bigint not null,
  outcome smallint not null check (outcome in (0, 1, 2)),
  id uuid not null,
  at timestamptz not null,
  run_id uuid,
  n_run bigint,
  n_run_outcome bigint,
  chain text,
  method text,
  target text,
  value numeric(78, 0),
  asset text,
  reason_code text,
  layer text,
  payload_sha256 bytea,
  tx_hash text,
  primary key (session_id, n),
  check ((run_id is null) = (n_run is null) and (run_id is null) = (n_run_outcome is null))
);
create unique index agent_events_by_outcome on agent_events (session_id, outcome, n_outcome);
create unique index agent_events_by_run on agent_events (run_id, n_run) where run_id is not null;
create unique index agent_events_by_run_outcome on agent_events (run_id, outcome, n_run_outcome) where run_id is not null;

-- The process that may make the next transaction of a wallet on a chain: one at a time, until its lease ends. `next`
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

-- Transactions of agents, signed: written before a node sees them. `sending`: no node has accepted it yet; `sent`: one has, and
-- may forget it; `seen`: the chain counts its nonce; `refused`: a node refused it, and its nonce is free for the next one, which
-- makes it `replaced`.
create table agent_transactions (
  id uuid primary key,
  organization_id uuid not null references organizations,
  session_id uuid not null references agent_sessions,
  wallet_id uuid not null references wallets,
  user_identity_id uuid not null references identities,
  chain text not null,
  sender text not null,
  nonce numeric(20, 0) not null,
  -- The idempotency key of the request: the same key again is the same transaction.
  request_key text,
  tx_hash text not null,
  raw_tx bytea not null,
  state text not null default 'sending' check (state in ('sending', 'sent', 'seen', 'refused', 'replaced')),
  created_at timestamptz not null default app_now(),
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  check ((state in ('sending', 'sent')) = (next_attempt_at is not null)),
  unique (session_id, request_key)
) with (fillfactor = 70);
create unique index agent_transactions_nonce on agent_transactions (wallet_id, chain, nonce) where state <> 'replaced';
create index agent_transactions_due on agent_transactions (next_attempt_at) where state in ('sending', 'sent');
create index agent_transactions_refused on agent_transactions (wallet_id, chain, nonce) where state = 'refused';

-- What a tool call over MCP with an idempotency key has decided, stored before it is done: a repeated call after a crash continues
-- with the same decisions. Each note is JSON as text (jsonb has no U+0000, and sellers' offers may).
create table agent_call_notes (
  session_id uuid not null references agent_sessions,
  request_key text not null,
  notes text[] not null,
  expires_at timestamptz not null,
  primary key (session_id, request_key)
);
create index agent_call_notes_expiry on agent_call_notes (expires_at);
