-- What sponsorship has promised and what it has cost, per wallet and calendar month (UTC), in micro-EUR over all chains.
create table sponsor_months (
  wallet_id uuid not null references wallets,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  reserved_micro bigint not null default 0 check (reserved_micro >= 0),
  settled_micro bigint not null default 0 check (settled_micro >= 0),
  primary key (wallet_id, month)
) with (fillfactor = 50);

-- One row per operation. Unsubmitted: `building` (reserved, the paymaster is not asked yet), `built`, or `expired` without
-- `submitted_at`. Submitted: `sending` (the signature is durable, whether the bundler has it is not known), `sent`, and the
-- ends `confirmed` and `failed` (landed), `rejected`, `expired` and `replaced` (did not).
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

  -- Sponsorship: the month it counts in, its worst cost and the price it was reckoned by (EUR x 10^8 per native unit).
  -- All null when the account pays for itself.
  month text,
  reserve_micro bigint check (reserve_micro >= 0),
  price_eur_e8 numeric(78, 0),
  price_source text,
  price_at timestamptz,
  -- What the month holds for it now, and what it has cost: the trigger below moves the month's sums with these two.
  held_micro bigint generated always as
    (case when state in ('building', 'built', 'sending', 'sent') then coalesce(reserve_micro, 0) else 0 end) stored,
  settled_micro bigint,

  -- On the chain's clock (unix seconds): until when it is submitted, and from when on it cannot land any more.
  chain_expires_at bigint,
  valid_until bigint,
  -- No block before this one can hold it.
  from_block bigint not null,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz,

  signature text,
  submitted_at timestamptz,
  -- Names the newest send; it may be sent again when `next_send_at` is past.
  attempt_id uuid,
  sends integer not null default 0,
  next_send_at timestamptz,
  -- The head at which its nonce was first seen to be used by something.
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

-- Money follows the state: whatever changes what an operation holds or has cost changes its month by the same.
create function move_sponsorship() returns trigger language plpgsql as $$
begin
  update sponsor_months m set
    reserved_micro = m.reserved_micro - old.held_micro + new.held_micro,
    settled_micro = m.settled_micro - coalesce(old.settled_micro, 0) + coalesce(new.settled_micro, 0)
  where m.wallet_id = new.wallet_id and m.month = new.month;
  if not found then raise exception 'The operation % has no month.', new.id; end if;
  return null;
end $$;
create trigger move_sponsorship after update on user_operations for each row
  when (old.held_micro <> new.held_micro or old.settled_micro is distinct from new.settled_micro)
  execute function move_sponsorship();

-- Claims a built operation for its one send, under the lock that archive and logout take. Answers `claimed`, or why not:
-- `not_found`, `wallet_archived`, `token_revoked`, `token_expired`, `expired`, `taken` (submitted before).
-- `chain_now` is the chain's clock, `is_deployed` whether the account has code there. Of two operations that both deploy an
-- account the later one is `expired`, and what it reserved is free again.
-- Locks counters, operation, account and month in this order, as everything else here does.
create function submit_user_operation(
  organization uuid, identity uuid, operation_hash text, owner_signature text, attempt uuid, lease interval,
  chain_now bigint, is_deployed boolean, token_name bytea, token_expires_at timestamptz
) returns text language plpgsql as $$
declare
  o user_operations;
  at_now timestamptz;
begin
  perform 1 from organization_counters c where c.organization_id = organization for update;
  at_now := date_trunc('milliseconds', app_now());
  if exists (select from revoked_tokens r where r.organization_id = organization and r.token_hash = token_name) then
    return 'token_revoked';
  end if;
  if token_expires_at <= at_now then return 'token_expired'; end if;

  select * into o from user_operations u
    where u.hash = operation_hash and u.organization_id = organization and u.user_identity_id = identity for update;
  if o.id is null then return 'not_found'; end if;
  if not exists (select from wallets w where w.id = o.wallet_id and w.status = 'active') then return 'wallet_archived'; end if;
  if o.submitted_at is not null then return 'taken'; end if;
  if o.state <> 'built' then return 'expired'; end if;

  if o.deploys then
    perform 1 from smart_accounts a where a.id = o.smart_account_id for no key update;
    is_deployed := is_deployed or exists (select from smart_accounts a where a.id = o.smart_account_id and a.deployed)
      or exists (select from user_operations u
        where u.smart_account_id = o.smart_account_id and u.deploys and u.state in ('sending', 'sent'));
  end if;
  if o.expires_at <= at_now or o.chain_expires_at < chain_now or (o.deploys and is_deployed) then
    update user_operations u set state = 'expired' where u.id = o.id;
    return 'expired';
  end if;

  update user_operations u set
    state = 'sending', signature = owner_signature, submitted_at = at_now, is_followed = true,
    attempt_id = attempt, sends = 1, next_send_at = at_now + lease
    where u.id = o.id;
  return 'claimed';
end $$;

-- Ends operations that nobody submitted in time, and what a build left behind that came to no end. Answers how many.
-- Months are locked in the order of their keys, so that two processes never wait for each other.
create function expire_unsubmitted(rows_max integer) returns integer language plpgsql as $$
declare
  due uuid;
  ended integer := 0;
begin
  for due in
    select u.id from user_operations u
    where u.state in ('building', 'built') and u.expires_at <= app_now()
    order by u.wallet_id, u.month, u.id limit rows_max for update skip locked
  loop
    update user_operations set state = 'expired' where id = due;
    ended := ended + 1;
  end loop;
  return ended;
end $$;

-- Which process follows the operations of a chain; another one takes over when its lease has ended.
create table settlement_leases (
  chain text primary key,
  holder uuid not null,
  expires_at timestamptz not null
) with (fillfactor = 50);
