-- What each agent session has spent and what it holds for signatures under way, per counter: `native SYMBOL/DECIMALS`,
-- `token CHAIN ID`, `transactions`. `cap` is the widest that was ever promised (null: none at first use); narrower ones, which an
-- organization may set later, are in the update that reserves.
create table agent_counters (
  session_id uuid not null references agent_sessions,
  counter text not null,
  spent numeric(78, 0) not null default 0 check (spent >= 0),
  reserved numeric(78, 0) not null default 0 check (reserved >= 0),
  cap numeric(78, 0),
  primary key (session_id, counter),
  check (cap is null or spent + reserved <= cap)
) with (fillfactor = 50);

-- One row per signature that costs something, by what is signed: the same bytes again cost nothing. Held by so many attempts, until
-- one of them has let the signature out (`is_spent`) or all of them know for certain that there is none (then the row goes). An
-- attempt that died leaves it held.
create table agent_reservations (
  session_id uuid not null,
  digest bytea not null check (octet_length(digest) = 32),
  counters text[] not null,
  amounts numeric(78, 0)[] not null,
  is_spent boolean not null default false,
  holders integer not null check (holders >= 0),
  created_at timestamptz not null default app_now(),
  primary key (session_id, digest)
  -- Each row is changed once, soon: in its own page, so that no index hears of it.
) with (fillfactor = 45);

-- How many attempts a session or a run has seen, by outcome. The row of a session is the lock of its budget.
create table agent_tallies (
  owner uuid primary key,
  allowed bigint not null default 0,
  rejected bigint not null default 0,
  failed bigint not null default 0
) with (fillfactor = 50);

create function make_agent_tally() returns trigger language plpgsql as $$
begin
  insert into agent_tallies (owner) values (new.id);
  return null;
end $$;
create trigger make_agent_tally after insert on agent_sessions for each row execute function make_agent_tally();

-- One row per attempt to sign. `n…` are dense ranks (in the session, in session and outcome, in the run, in run and outcome), so
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

-- Reserves what signatures cost, for many attempts in one statement. Every row by its index: plans are kept, and one that was made
-- while a table was small would read all of it later. Columns as in commit_events:
--   sessions   those of the batch
--   item_…     one element per session and digest: the versions it was judged under (as in commit_agent_decisions), how many attempts
--              hold it, whether only to look again at what is held already (rules have changed), and what it costs, as array
--              literals: counters, amounts, and the least cap of each (NULL: none)
-- Answers for each item that does not fit one row without a counter, and one per counter of it as it stands; for each that was
-- judged under what is no more, one row that says so. All other items are reserved. Each session is locked by its tally row, in
-- the order of their ids. The commit waits for the disk and checks that the reservation is there, so that this need not wait.
create function reserve_agent_spends(columns text) returns table (
  place integer, counter_name text, spent_now text, reserved_now text, is_stale boolean
) language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  part text[] := string_to_array(columns, E'\x1f');
  sessions uuid[] := part[1];
  item_session uuid[] := part[2];
  item_digest bytea[] := part[3];
  item_holders integer[] := part[4];
  item_again boolean[] := part[5];
  item_counters text[] := part[6];
  item_amounts text[] := part[7];
  item_caps text[] := part[8];
  item_policy_version integer[] := part[9];
  item_rules_version bigint[] := part[10];
  item_agent_version bigint[] := part[11];
  stale integer[];
  amount_max constant numeric := 10::numeric ^ 78 - 1;
  counters text[];
  amounts numeric[];
  caps numeric[];
  wanted bigint;
  done bigint;
  -- Positions of those that nobody held; null where the batch as a whole did not fit.
  made integer[];
  is_made boolean;
  is_held boolean;
  fits boolean;
begin
  perform set_config('synchronous_commit', 'off', true);
  perform 1 from agent_tallies t where t.owner = any(sessions) order by t.owner for update;

  -- What changes from here on is met by the commit.
  select coalesce(array_agg(x.nr::integer), '{}') into stale
    from unnest(item_session, item_policy_version, item_rules_version, item_agent_version) with ordinality
      x(session_id, policy_version, rules_version, agent_version, nr)
    left join lateral (select * from agent_sessions where agent_sessions.id = x.session_id offset 0) e on true
    left join lateral (
      select q.version from organization_rules q where q.organization_id = e.organization_id offset 0) r on true
    left join lateral (select q.policy_version from agents q where q.id = e.agent_id offset 0) a on true
    where e.status is distinct from 'active' or e.policy_version <> x.policy_version
      or coalesce(r.version, 0) <> x.rules_version or a.policy_version is distinct from x.agent_version;

  -- All at once, which nearly always fits.
  begin
    with asked as materialized (
      select * from unnest(item_session, item_digest, item_holders, item_counters, item_amounts, item_caps) with ordinality
        a(session_id, digest, holders, counters, amounts, caps, nr)
      where nr <> all(stale)),
    made_now as (
      insert into agent_reservations (session_id, digest, counters, amounts, holders)
      select a.session_id, a.digest, a.counters::text[], a.amounts::numeric[], a.holders from asked a
      on conflict (session_id, digest) do nothing
      returning agent_reservations.session_id, agent_reservations.digest),
    found as (
      select distinct on (a.session_id, a.digest) a.*
      from made_now m join asked a on a.session_id = m.session_id and a.digest = m.digest),
    sums as (
      select f.session_id, s.counter, sum(s.amount) as amount, min(s.cap) as cap
      from found f
      cross join lateral unnest(f.counters::text[], f.amounts::numeric[], f.caps::numeric[]) s(counter, amount, cap)
      group by f.session_id, s.counter),
    moved as (
      insert into agent_counters as c (session_id, counter, reserved, cap)
      select s.session_id, s.counter, s.amount, s.cap from sums s where s.amount <= coalesce(s.cap, amount_max)
      on conflict (session_id, counter) do update set
        reserved = c.reserved + excluded.reserved,
        cap = case when c.cap is null or excluded.cap is null then null else greatest(c.cap, excluded.cap) end
      where c.spent + c.reserved + excluded.reserved <= coalesce(excluded.cap, amount_max)
      returning 1)
    select (select count(*) from sums), (select count(*) from moved), 
      (select coalesce(array_agg(f.nr::integer), '{}') from found f)
    into wanted, done, made;
    if wanted <> done then raise sqlstate 'SY001'; end if;
  exception when sqlstate 'SY001' then
    made := null;
  end;
  if cardinality(stale) > 0 then
    return query select nr, null::text, null::text, null::text, true from unnest(stale) nr;
  end if;
  if cardinality(made) + cardinality(stale) = cardinality(item_session) then return; end if;

  -- One by one: some do not fit, or are held already.
  for k in 1 .. cardinality(item_session) loop
    if k = any(stale) then continue; end if;
    counters := item_counters[k];
    amounts := item_amounts[k];
    caps := item_caps[k];
    if made is null then
      insert into agent_reservations as r (session_id, digest, counters, amounts, holders)
      values (item_session[k], item_digest[k], counters, amounts, item_holders[k])
      on conflict (session_id, digest) do nothing;
      is_made := found;
    else
      is_made := k = any(made);
    end if;

    fits := true;
    if is_made and made is null then
      for s in 1 .. cardinality(counters) loop
        insert into agent_counters as c (session_id, counter, reserved, cap)
        select item_session[k], counters[s], amounts[s], caps[s] where amounts[s] <= coalesce(caps[s], amount_max)
        on conflict (session_id, counter) do update set
          reserved = c.reserved + excluded.reserved,
          cap = case when c.cap is null or excluded.cap is null then null else greatest(c.cap, excluded.cap) end
        where c.spent + c.reserved + excluded.reserved <= coalesce(excluded.cap, amount_max);
        if not found then
          fits := false;
          for back in 1 .. s - 1 loop
            update agent_counters c set reserved = c.reserved - amounts[back]
            where c.session_id = item_session[k] and c.counter = counters[back];
          end loop;
          delete from agent_reservations r where r.session_id = item_session[k] and r.digest = item_digest[k];
          exit;
        end if;
      end loop;
    elsif not is_made then
      update agent_reservations r set holders = r.holders + case when item_again[k] then 0 else item_holders[k] end
      where r.session_id = item_session[k] and r.digest = item_digest[k] and not r.is_spent;
      is_held := found;
      -- What is out already stays out; what is still held has to fit the caps of now.
      if is_held and item_again[k] then
        fits := not exists (
          select from unnest(counters, caps) a(counter, cap)
          join agent_counters c on c.session_id = item_session[k] and c.counter = a.counter
          where c.spent + c.reserved > a.cap);
      end if;
    end if;
    if not fits then
      return query select k, null::text, null::text, null::text, false;
      return query
        select k, c.counter, c.spent::text, c.reserved::text, false from agent_counters c
        where c.session_id = item_session[k] and c.counter = any(counters);
    end if;
  end loop;
end $$;

-- An attempt gives its hold on a reservation back, knowing for certain that it led to no signature; the last one frees it.
create function release_agent_spends(session uuid, signed bytea) returns void language plpgsql as $$
declare
  r agent_reservations;
begin
  perform 1 from agent_tallies t where t.owner = session for update;
  update agent_reservations a set holders = a.holders - 1
    where a.session_id = session and a.digest = signed and not a.is_spent and a.holders > 0 returning a.* into r;
  if r.session_id is null or r.holders > 0 then return; end if;
  delete from agent_reservations a where a.session_id = session and a.digest = signed;
  update agent_counters c set reserved = c.reserved - x.amount
    from unnest(r.counters, r.amounts) x(counter, amount)
    where c.session_id = session and c.counter = x.counter;
end $$;

-- Commits decisions on attempts, all or none: events with dense ranks, what was reserved becomes spent, transactions with their
-- nonces, audit events. Columns as in commit_events:
--   organizations, sessions   those of the batch
--   guard_…   what was judged under, with the event's position: versions of the grant, of the rules (0: none) and of the agent's
--             policy (NULL: no agent); session and wallet have to be alive too. `digest` of a signature that leaves and costs
--             something: it has to be reserved
--   tally_…   what the batch adds to sessions and runs
--   event_…   rank… are ranks within the batch, from 1
--   tx_…      transactions with the event's position, who held the lease of the nonce, and how long it is left to the sender (ms)
-- Answers one row per broken guard (then nothing was written), and position -1 for each organization that owes a gap event.
-- The counter rows of the organizations are locked first, as everywhere, then the sessions' tallies in the order of their ids.
create function commit_agent_decisions(columns text, audit text) returns table (i integer, reason text) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  part text[] := string_to_array(columns, E'\x1f');
  organizations uuid[] := part[1];
  sessions uuid[] := part[2];
  guard_position integer[] := part[3];
  guard_session uuid[] := part[4];
  guard_policy_version integer[] := part[5];
  guard_rules_version bigint[] := part[6];
  guard_agent_version bigint[] := part[7];
  guard_digest bytea[] := part[8];
  tally_owner uuid[] := part[9];
  tally_allowed bigint[] := part[10];
  tally_rejected bigint[] := part[11];
  tally_failed bigint[] := part[12];
  event_session uuid[] := part[13];
  event_rank bigint[] := part[14];
  event_rank_outcome bigint[] := part[15];
  event_outcome smallint[] := part[16];
  event_id uuid[] := part[17];
  event_run uuid[] := part[18];
  event_rank_run bigint[] := part[19];
  event_rank_run_outcome bigint[] := part[20];
  event_chain text[] := part[21];
  event_method text[] := part[22];
  event_target text[] := part[23];
  event_value numeric[] := part[24];
  event_asset text[] := part[25];
  event_reason text[] := part[26];
  event_layer text[] := part[27];
  event_payload bytea[] := part[28];
  event_tx_hash text[] := part[29];
  tx_position integer[] := part[30];
  tx_id uuid[] := part[31];
  tx_identity uuid[] := part[32];
  tx_sender text[] := part[33];
  tx_holder uuid[] := part[34];
  tx_nonce numeric[] := part[35];
  tx_key text[] := part[36];
  tx_raw bytea[] := part[37];
  tx_hold_ms integer[] := part[38];
  at_now timestamptz;
  is_broken boolean;
begin
  perform 1 from organization_counters c
    where c.organization_id = any(organizations) order by c.organization_id for update;
  perform 1 from agent_tallies t where t.owner = any(sessions) order by t.owner for update;
  at_now := date_trunc('milliseconds', app_now());

  return query
    select x.i, x.broken from (
      select g.i, case
        when s.status is null then 'revoked'
        when s.status <> 'active' then 'revoked'
        when least(s.expires_at, (a.policy ->> 'expires_at')::timestamptz, case when not s.is_implicit then
          s.created_at + (r.rules ->> 'max_session_ttl_seconds')::bigint * interval '1 second' end) <= at_now then 'expired'
        when w.status is distinct from 'active' then 'wallet_archived'
        when s.policy_version <> g.policy_version or coalesce(r.version, 0) <> g.rules_version
          or a.policy_version is distinct from g.agent_version then 'stale'
        when g.digest is not null and q.is_reserved is null then 'unreserved'
        end as broken
      from unnest(guard_position, guard_session, guard_policy_version, guard_rules_version,
        guard_agent_version, guard_digest) g(i, session_id, policy_version, rules_version, agent_version, digest)
      -- Each by its index, as in commit_events.
      left join lateral (select * from agent_sessions where agent_sessions.id = g.session_id offset 0) s on true
      left join lateral (
        select * from organization_rules where organization_rules.organization_id = s.organization_id offset 0) r on true
      left join lateral (select * from agents where agents.id = s.agent_id offset 0) a on true
      left join lateral (select wallets.status from wallets where wallets.id = s.wallet_id offset 0) w on true
      left join lateral (
        select true as is_reserved from agent_reservations p where p.session_id = g.session_id and p.digest = g.digest
        offset 0) q on true) x
    where x.broken is not null;
  is_broken := found;
  if cardinality(tx_position) > 0 then
    return query
      select x.i, case
        when exists (select from agent_transactions q where q.session_id = event_session[x.i + 1] and q.attempt_key = x.key)
          then 'attempt_taken'
        else 'lease_lost' end
      from unnest(tx_position, tx_holder, tx_key) x(i, holder, key)
      join agent_sessions s on s.id = event_session[x.i + 1]
      left join agent_nonces n on n.wallet_id = s.wallet_id and n.chain = event_chain[x.i + 1] and n.holder = x.holder
      where n.holder is null or n.lease_until <= at_now
        or exists (select from agent_transactions q where q.session_id = event_session[x.i + 1] and q.attempt_key = x.key);
    is_broken := is_broken or found;
  end if;
  if is_broken then return; end if;

  if exists (select from unnest(guard_digest) d where d is not null) then
    with spent as (
      update agent_reservations q set is_spent = true, holders = 0
      from unnest(guard_session, guard_digest) g(session_id, digest)
      where q.session_id = g.session_id and q.digest = g.digest and not q.is_spent
      returning q.session_id, q.counters, q.amounts),
    sums as (
      select p.session_id, x.counter, sum(x.amount) as amount
      from spent p cross join lateral unnest(p.counters, p.amounts) x(counter, amount) group by p.session_id, x.counter)
    update agent_counters c set reserved = c.reserved - m.amount, spent = c.spent + m.amount
      from sums m where c.session_id = m.session_id and c.counter = m.counter;
  end if;

  insert into agent_events (session_id, n, n_outcome, outcome, id, at, run_id, n_run, n_run_outcome, chain, method, target,
      value, asset, reason_code, layer, payload_sha256, tx_hash)
    select x.session_id, t.allowed + t.rejected + t.failed + x.rank,
      case x.outcome when 0 then t.allowed when 1 then t.rejected else t.failed end + x.rank_outcome,
      x.outcome, x.id, at_now, x.run,
      case when x.run is not null then coalesce(u.allowed + u.rejected + u.failed, 0) + x.rank_run end,
      case when x.run is not null then
        coalesce(case x.outcome when 0 then u.allowed when 1 then u.rejected else u.failed end, 0) + x.rank_run_outcome end,
      x.chain, x.method, x.target, x.value, x.asset, x.reason, x.layer, x.payload, x.tx_hash
    from unnest(event_session, event_rank, event_rank_outcome, event_outcome, event_id, event_run, event_rank_run,
      event_rank_run_outcome, event_chain, event_method, event_target, event_value, event_asset, event_reason, event_layer,
      event_payload, event_tx_hash)
      x(session_id, rank, rank_outcome, outcome, id, run, rank_run, rank_run_outcome, chain, method, target, value, asset, reason,
        layer, payload, tx_hash)
    join agent_tallies t on t.owner = x.session_id
    left join agent_tallies u on u.owner = x.run;
  insert into agent_tallies as t (owner, allowed, rejected, failed)
    select * from unnest(tally_owner, tally_allowed, tally_rejected, tally_failed)
    on conflict (owner) do update set
      allowed = t.allowed + excluded.allowed, rejected = t.rejected + excluded.rejected, failed = t.failed + excluded.failed;

  if cardinality(tx_position) > 0 then
    update agent_transactions q set state = 'replaced'
      from unnest(tx_position, tx_nonce) x(i, nonce) join agent_sessions s on s.id = event_session[x.i + 1]
      where q.wallet_id = s.wallet_id and q.chain = event_chain[x.i + 1] and q.nonce = x.nonce and q.state = 'refused';
    insert into agent_transactions (id, organization_id, session_id, wallet_id, user_identity_id, chain, sender, nonce,
        attempt_key, tx_hash, raw_tx, created_at, next_attempt_at)
      select x.id, s.organization_id, s.id, s.wallet_id, x.identity, event_chain[x.i + 1], x.sender, x.nonce, x.key,
        event_tx_hash[x.i + 1], x.raw, at_now, at_now + x.hold_ms * interval '1 ms'
      from unnest(tx_position, tx_id, tx_identity, tx_sender, tx_nonce, tx_key, tx_raw, tx_hold_ms)
        x(i, id, identity, sender, nonce, key, raw, hold_ms)
      join agent_sessions s on s.id = event_session[x.i + 1];
    update agent_nonces n set next = greatest(n.next, x.nonce + 1), holder = null, lease_until = null
      from unnest(tx_holder, tx_nonce) x(holder, nonce) where n.holder = x.holder;
  end if;
  if audit is not null then
    return query select -1, e.reason from commit_events(audit) e;
  end if;
end $$;
