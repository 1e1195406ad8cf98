-- Signatures of agents cost the database less.

-- These two planned their statements anew at each call, which cost more than running them. Now the plans are kept; one that was
-- made while a table was small goes by its index all the same, since each table is looked up by itself (`lateral … offset 0`).
create or replace function admit_keys(hashes bytea[], counts integer[], period double precision, burst integer)
returns table (
  place bigint, stamp text, granted integer, remaining integer, retry_seconds double precision, reset_seconds double precision
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    with found as materialized (
      select a.place, a.n, k.id::text as key_id, k.stamp || ' ' || o.stamp as stamp
      from unnest(hashes, counts) with ordinality as a(hash, n, place)
      cross join lateral (
        select q.id, q.organization_id, q.xmin::text as stamp from api_keys q
        where q.hash = a.hash and q.type = 'secret'
          and q.revoked_at is null and (q.expires_at is null or q.expires_at > app_now())
        offset 0) k
      cross join lateral (
        select q.xmin::text as stamp from organizations q where q.id = k.organization_id offset 0) o),
    asked as (
      select array_agg('s2s:' || f.key_id) as keys, array_agg(f.n) as counts, array_agg(period) as periods, array_agg(burst) as bursts
      from found f)
    select f.place, f.stamp, p.granted, p.remaining, p.retry_seconds, p.reset_seconds
    from asked, take_permits(asked.keys, asked.counts, asked.periods, asked.bursts) p
    join found f on p.key = 's2s:' || f.key_id
    where asked.keys is not null;
end $$;

create or replace function admit_agents(hashes bytea[], counts integer[], period double precision, burst integer)
returns table (
  place bigint, session_id uuid, agent_id uuid, wallet_id uuid, organization_id uuid, stamp text, state text,
  now_ms double precision, granted integer, remaining integer, retry_seconds double precision, reset_seconds double precision
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  at_now timestamptz := app_now();
begin
  return query
    with found as materialized (
      select a.place, a.n, t.id, t.agent_id, t.wallet_id, t.organization_id, o.stamp,
        -- agent_session_state, whose calls would cost as much as all the rest; these sessions have a token.
        case
          when t.status = 'revoked' then 'revoked'
          when least(t.expires_at, (g.policy ->> 'expires_at')::timestamptz,
            t.created_at + (r.rules ->> 'max_session_ttl_seconds')::bigint * interval '1 second') <= at_now then 'expired'
          else 'active' end as state,
        t.last_used_at is null or t.last_used_at < at_now - interval '1 minute' as is_stale
      from unnest(hashes, counts) with ordinality as a(hash, n, place)
      cross join lateral (select * from agent_sessions s where s.token_hash = a.hash offset 0) t
      cross join lateral (select q.xmin::text as stamp from organizations q where q.id = t.organization_id offset 0) o
      left join lateral (
        select q.policy from agents q where q.organization_id = t.organization_id and q.id = t.agent_id offset 0) g on true
      left join lateral (
        select q.rules from organization_rules q where q.organization_id = t.organization_id offset 0) r on true),
    -- A row that somebody commits a signature for is left to the next call: no one ever waits for this.
    free as (
      select t.id from agent_sessions t
      where t.id = any(array(select f.id from found f where f.is_stale and f.state = 'active'))
      for no key update skip locked),
    touched as (
      update agent_sessions t set last_used_at = date_trunc('milliseconds', at_now)
      where t.id = any(array(select x.id from free x))),
    asked as (
      select array_agg('agent:' || f.id) as keys, array_agg(f.n) as counts, array_agg(period) as periods, array_agg(burst) as bursts
      from found f)
    select f.place, f.id, f.agent_id, f.wallet_id, f.organization_id, f.stamp, f.state,
      (extract(epoch from at_now) * 1000)::double precision, p.granted, p.remaining, p.retry_seconds, p.reset_seconds
    from asked, take_permits(asked.keys, asked.counts, asked.periods, asked.bursts) p
    join found f on p.key = 'agent:' || f.id
    where asked.keys is not null;
end $$;

-- While nothing limits a session's transactions, none is held: the commit counts them in the session's tally, which it changes
-- anyway (`transactions`). The first reservation under a cap moves that count into the counter, where cap and CHECK are; what is
-- still under way then was judged under what is no more, so that it is judged again and held before it leaves.
alter table agent_tallies add column transactions bigint not null default 0;
-- Whether the commit of this reservation is what counts its transaction.
alter table agent_reservations add column is_uncounted boolean not null default false;

-- As in migration 19; transactions that nothing limited when they were signed are in the tally.
create or replace function agent_session_status(session agent_sessions) returns text language sql stable as $$
  select case
    when s.state <> 'active' then s.state
    when exists (
      select from (
        select c.counter, c.spent + c.reserved as used from agent_counters c where c.session_id = session.id
        union all
        select 'transactions', t.transactions from agent_tallies t where t.owner = session.id) c
      group by c.counter
      having sum(c.used) > 0
        and sum(c.used) >= case when c.counter like 'native %' then s.native when c.counter = 'transactions' then s.transactions end)
    then 'exhausted'
    else s.state end
  from (
    select agent_session_state(session, app_now()) as state,
      least((session.effective ->> 'max_spend_total_native')::numeric, (a.policy ->> 'max_spend_total_native')::numeric,
        (r.rules ->> 'max_native_total_cap')::numeric) as native,
      least((session.effective ->> 'max_tx_count')::numeric, (a.policy ->> 'max_tx_count')::numeric) as transactions
    from (values (1)) one
    left join agents a on a.id = session.agent_id
    left join organization_rules r on r.organization_id = session.organization_id) s
$$;

-- Holds an amount, if it fits.
create function hold_agent_counter(session uuid, name text, amount numeric, max_now numeric) returns boolean language plpgsql as $$
begin
  insert into agent_counters as c (session_id, counter, reserved, cap)
    select session, name, amount, max_now where amount <= coalesce(max_now, 10::numeric ^ 78 - 1)
    on conflict (session_id, counter) do update set
      reserved = c.reserved + excluded.reserved,
      cap = case when c.cap is null or excluded.cap is null then null else greatest(c.cap, excluded.cap) end
    where c.spent + c.reserved + excluded.reserved <= coalesce(excluded.cap, 10::numeric ^ 78 - 1);
  return found;
end $$;

-- As in migration 16, with more columns at the end, which processes of the release before do not send:
--   sessions          not read any more
--   item_uncounted    transactions that nothing limits; they are in no counter
--   sum_…             what all items cost of each counter of a session, which is that of the item at the position (from 1)
--   counted           sessions with a transaction that something limits
-- What is all new and fits, which is nearly always, is written as it came; otherwise the items are looked at one by one. What is held
-- already has to fit the caps of now, too. Counters are answered with the item in them if it looks again, without it if not.
create or replace function reserve_agent_spends(columns text) returns table (
  place integer, counter_name text, spent_now text, reserved_now text, is_stale boolean
) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  part text[] := string_to_array(columns, E'\x1f');
  item_session uuid[] := part[2]; item_digest bytea[] := part[3]; item_holders integer[] := part[4];
  item_again boolean[] := part[5]; item_counters text[] := part[6]; item_amounts text[] := part[7]; item_caps text[] := part[8];
  item_policy_version integer[] := part[9]; item_rules_version bigint[] := part[10]; item_agent_version bigint[] := part[11];
  item_uncounted boolean[] := part[12]; sum_item integer[] := part[13]; sum_counter text[] := part[14];
  sum_amount numeric[] := part[15]; sum_cap numeric[] := part[16];
  counted uuid[] := coalesce(part[17]::uuid[], item_session);
  amount_max constant numeric := 10::numeric ^ 78 - 1;
  stale integer[]; commits_late text; done bigint;
  counters text[]; amounts numeric[]; caps numeric[];
  is_made boolean; fits boolean;
  held agent_reservations; -- What is held of an item that is not made now.
begin
  commits_late := set_config('synchronous_commit', 'off', true);
  perform 1 from agent_tallies t where t.owner = any(item_session) order by t.owner for update;

  -- What was signed while nothing limited the count.
  if cardinality(counted) > 0 then
    with uncounted as (
      select t.owner, t.transactions from agent_tallies t where t.owner = any(counted) and t.transactions > 0),
    emptied as (
      update agent_tallies t set transactions = 0 where t.owner = any(array(select u.owner from uncounted u)))
    insert into agent_counters as c (session_id, counter, spent)
      select u.owner, 'transactions', u.transactions from uncounted u
      on conflict (session_id, counter) do update set spent = c.spent + excluded.spent, cap = null;
  end if;

  -- What changes from here on is met by the commit.
  stale := array(
    select x.nr
    from (
      select generate_subscripts(item_session, 1) as nr, unnest(item_session) as session_id,
        unnest(item_policy_version) as policy_version, unnest(item_rules_version) as rules_version,
        unnest(item_agent_version) as agent_version) x
    left join lateral (
      select q.status, q.policy_version, q.organization_id, q.agent_id, q.wallet_id from agent_sessions q
      where q.id = x.session_id offset 0) e on true
    left join lateral (select q.status from wallets q where q.id = e.wallet_id offset 0) w on true
    left join lateral (
      select q.version from organization_rules q where q.organization_id = e.organization_id offset 0) r on true
    left join lateral (
      select q.policy_version from agents q
      where q.organization_id = e.organization_id and q.id = e.agent_id offset 0) a on true
    where e.status is distinct from 'active' or w.status is distinct from 'active' or e.policy_version <> x.policy_version
      or coalesce(r.version, 0) <> x.rules_version or a.policy_version is distinct from x.agent_version);

  -- All at once as it came, which nearly always fits.
  if cardinality(stale) = 0 and true <> all(item_again) and sum_item is not null then
    begin
      insert into agent_reservations (session_id, digest, counters, amounts, holders, is_uncounted)
        select unnest(item_session), unnest(item_digest), unnest(item_counters)::text[], unnest(item_amounts)::numeric[],
          unnest(item_holders), unnest(item_uncounted)
        on conflict (session_id, digest) do nothing;
      get diagnostics done = row_count;
      if done = cardinality(item_session) then
        insert into agent_counters as c (session_id, counter, reserved, cap)
          select s.session_id, s.counter, s.amount, s.cap
          from (
            select item_session[unnest(sum_item)] as session_id, unnest(sum_counter) as counter, unnest(sum_amount) as amount,
              unnest(sum_cap) as cap) s
          where s.amount <= coalesce(s.cap, amount_max)
          on conflict (session_id, counter) do update set
            reserved = c.reserved + excluded.reserved,
            cap = case when c.cap is null or excluded.cap is null then null else greatest(c.cap, excluded.cap) end
          where c.spent + c.reserved + excluded.reserved <= coalesce(excluded.cap, amount_max);
        get diagnostics done = row_count;
        if done = cardinality(sum_item) then return; end if;
      end if;
      raise sqlstate 'SY001';
    exception when sqlstate 'SY001' then
      -- Some are held already, or go over a cap.
    end;
  end if;

  return query select nr, null::text, null::text, null::text, true from unnest(stale) nr;
  -- One by one.
  for k in 1 .. cardinality(item_session) loop
    if k = any(stale) then continue; end if;
    counters := item_counters[k]; amounts := item_amounts[k]; caps := item_caps[k];
    insert into agent_reservations as r (session_id, digest, counters, amounts, holders, is_uncounted)
    values (item_session[k], item_digest[k], counters, amounts, item_holders[k], coalesce(item_uncounted[k], false))
    on conflict (session_id, digest) do nothing;
    is_made := found;

    fits := true;
    held := null;
    if is_made then
      for s in 1 .. cardinality(counters) loop
        fits := hold_agent_counter(item_session[k], counters[s], amounts[s], caps[s]);
        if not fits then
          for back in 1 .. s - 1 loop
            update agent_counters c set reserved = c.reserved - amounts[back]
            where c.session_id = item_session[k] and c.counter = counters[back];
          end loop;
          delete from agent_reservations r where r.session_id = item_session[k] and r.digest = item_digest[k];
          exit;
        end if;
      end loop;
    else
      -- What is out already stays out. What is still held has to fit the caps of now, like everything else.
      select r.* into held from agent_reservations r
        where r.session_id = item_session[k] and r.digest = item_digest[k] and not r.is_spent;
      if held.session_id is not null then
        -- Held while nothing limited the count, which something does now.
        if held.is_uncounted and 'transactions' = any(counters) then
          fits := hold_agent_counter(item_session[k], 'transactions', 1, caps[array_position(counters, 'transactions')]);
          if fits then
            update agent_reservations r
              set is_uncounted = false, counters = r.counters || 'transactions'::text, amounts = r.amounts || 1::numeric
              where r.session_id = item_session[k] and r.digest = item_digest[k] returning r.* into held;
          end if;
        end if;
        fits := fits and not exists (
          select from unnest(counters, caps) a(counter, cap)
          join agent_counters c on c.session_id = item_session[k] and c.counter = a.counter
          where c.spent + c.reserved > a.cap);
        if fits and not item_again[k] then
          update agent_reservations r set holders = r.holders + item_holders[k]
            where r.session_id = item_session[k] and r.digest = item_digest[k];
        end if;
      end if;
    end if;
    if not fits then
      return query select k, null::text, null::text, null::text, false;
      -- As who asks adds it up: with what it holds already where it asks again, without that where it asks anew.
      return query
        select k, x.counter, coalesce(c.spent, 0)::text,
          (coalesce(c.reserved, 0) + case when item_again[k] then x.amount else 0 end
            - coalesce(held.amounts[array_position(held.counters, x.counter)], 0))::text, false
        from unnest(counters, amounts) x(counter, amount)
        left join agent_counters c on c.session_id = item_session[k] and c.counter = x.counter;
    end if;
  end loop;
end $$;

-- As in migration 16; `sessions` and `guard_session` are not read any more, since the events have them.
create or replace function commit_agent_decisions(columns text, audit text) returns table (i integer, reason text) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  part text[] := string_to_array(columns, E'\x1f');
  organizations uuid[] := part[1]; guard_position integer[] := part[3]; guard_policy_version integer[] := part[5];
  guard_rules_version bigint[] := part[6]; guard_agent_version bigint[] := part[7]; guard_digest bytea[] := part[8];
  tally_owner uuid[] := part[9]; tally_allowed bigint[] := part[10]; tally_rejected bigint[] := part[11];
  tally_failed bigint[] := part[12]; event_session uuid[] := part[13]; event_rank bigint[] := part[14];
  event_rank_outcome bigint[] := part[15]; event_outcome smallint[] := part[16]; event_id uuid[] := part[17];
  event_run uuid[] := part[18]; event_rank_run bigint[] := part[19]; event_rank_run_outcome bigint[] := part[20];
  event_chain text[] := part[21]; event_method text[] := part[22]; event_target text[] := part[23];
  event_value numeric[] := part[24]; event_asset text[] := part[25]; event_reason text[] := part[26];
  event_layer text[] := part[27]; event_payload bytea[] := part[28]; event_tx_hash text[] := part[29];
  tx_position integer[] := part[30];
  at_now timestamptz; is_broken boolean;
begin
  perform 1 from organization_counters c
    where c.organization_id = any(organizations) order by c.organization_id for update;
  perform 1 from agent_tallies t where t.owner = any(event_session) order by t.owner for update;
  at_now := date_trunc('milliseconds', app_now());

  return query
    select x.i, x.broken from (
      select g.i, case
        when s.status is distinct from 'active' then 'revoked'
        when least(s.expires_at, (a.policy ->> 'expires_at')::timestamptz, case when not s.is_implicit then
          s.created_at + (r.rules ->> 'max_session_ttl_seconds')::bigint * interval '1 second' end) <= at_now then 'expired'
        when w.status is distinct from 'active' then 'wallet_archived'
        when s.policy_version <> g.policy_version or coalesce(r.version, 0) <> g.rules_version
          or a.policy_version is distinct from g.agent_version then 'stale'
        when g.digest is not null and p.is_reserved is null then 'unreserved'
        end as broken
      from (
        select unnest(guard_position) as i, unnest(guard_policy_version) as policy_version,
          unnest(guard_rules_version) as rules_version, unnest(guard_agent_version) as agent_version,
          unnest(guard_digest) as digest) g
      -- Each by its index, as in commit_events.
      left join lateral (
        select q.id, q.status, q.wallet_id, q.organization_id, q.agent_id, q.policy_version, q.expires_at, q.is_implicit,
          q.created_at
        from agent_sessions q where q.id = event_session[g.i + 1] offset 0) s on true
      left join lateral (select q.status from wallets q where q.id = s.wallet_id offset 0) w on true
      left join lateral (
        select q.version, q.rules from organization_rules q where q.organization_id = s.organization_id offset 0) r on true
      left join lateral (
        select q.policy_version, q.policy from agents q
        where q.organization_id = s.organization_id and q.id = s.agent_id offset 0) a on true
      left join lateral (
        select true as is_reserved from agent_reservations q where q.session_id = s.id and q.digest = g.digest offset 0) p on true
      offset 0) x
    where x.broken is not null;
  is_broken := found;
  if cardinality(tx_position) > 0 then
  declare
    tx_holder uuid[] := part[34]; tx_key text[] := part[36];
  begin
    return query
      select x.i, case when exists (
          select from agent_transactions q where q.session_id = event_session[x.i + 1] and q.attempt_key = x.key)
        then 'attempt_taken' else 'lease_lost' end
      from unnest(tx_position, tx_holder, tx_key) x(i, holder, key)
      join agent_sessions s on s.id = event_session[x.i + 1]
      left join agent_nonces n on n.wallet_id = s.wallet_id and n.chain = event_chain[x.i + 1] and n.holder = x.holder
      where n.holder is null or n.lease_until <= at_now
        or exists (select from agent_transactions q where q.session_id = event_session[x.i + 1] and q.attempt_key = x.key);
    is_broken := is_broken or found;
  end;
  end if;
  if is_broken then return; end if;

  insert into agent_events (session_id, n, n_outcome, outcome, id, at, run_id, n_run, n_run_outcome, chain, method, target,
      value, asset, reason_code, layer, payload_sha256, tx_hash)
    select x.session_id, t.allowed + t.rejected + t.failed + x.rank,
      case x.outcome when 0 then t.allowed when 1 then t.rejected else t.failed end + x.rank_outcome,
      x.outcome, x.id, at_now, x.run,
      case when x.run is not null then coalesce(u.allowed + u.rejected + u.failed, 0) + x.rank_run end,
      case when x.run is not null then
        coalesce(case x.outcome when 0 then u.allowed when 1 then u.rejected else u.failed end, 0) + x.rank_run_outcome end,
      x.chain, x.method, x.target, x.value, x.asset, x.reason, x.layer, x.payload, x.tx_hash
    from (
      select unnest(event_session) as session_id, unnest(event_rank) as rank, unnest(event_rank_outcome) as rank_outcome,
        unnest(event_outcome) as outcome, unnest(event_id) as id, unnest(event_run) as run, unnest(event_rank_run) as rank_run,
        unnest(event_rank_run_outcome) as rank_run_outcome, unnest(event_chain) as chain, unnest(event_method) as method,
        unnest(event_target) as target, unnest(event_value) as value, unnest(event_asset) as asset,
        unnest(event_reason) as reason, unnest(event_layer) as layer, unnest(event_payload) as payload,
        unnest(event_tx_hash) as tx_hash) x
    cross join lateral (
      select q.allowed, q.rejected, q.failed from agent_tallies q where q.owner = x.session_id offset 0) t
    left join lateral (select q.allowed, q.rejected, q.failed from agent_tallies q where q.owner = x.run offset 0) u on true;
  with spent as (
    update agent_reservations q set is_spent = true, holders = 0
    from (select event_session[unnest(guard_position) + 1] as session_id, unnest(guard_digest) as digest) g
    where q.session_id = g.session_id and q.digest = g.digest and not q.is_spent
    returning q.session_id, q.counters, q.amounts, q.is_uncounted),
  sums as (
    select x.session_id, x.counter, sum(x.amount) as amount
    from (select p.session_id, unnest(p.counters) as counter, unnest(p.amounts) as amount from spent p) x
    group by x.session_id, x.counter),
  moved as (
    update agent_counters c set reserved = c.reserved - m.amount, spent = c.spent + m.amount
    from sums m where c.session_id = m.session_id and c.counter = m.counter)
  insert into agent_tallies as t (owner, allowed, rejected, failed, transactions)
    select x.owner, sum(x.allowed), sum(x.rejected), sum(x.failed), sum(x.transactions)
    from (
      select unnest(tally_owner) as owner, unnest(tally_allowed) as allowed, unnest(tally_rejected) as rejected,
        unnest(tally_failed) as failed, 0 as transactions
      union all select p.session_id, 0, 0, 0, 1 from spent p where p.is_uncounted) x
    group by x.owner order by x.owner
    on conflict (owner) do update set
      allowed = t.allowed + excluded.allowed, rejected = t.rejected + excluded.rejected, failed = t.failed + excluded.failed,
      transactions = t.transactions + excluded.transactions;

  if cardinality(tx_position) > 0 then
  declare
    tx_id uuid[] := part[31]; tx_identity uuid[] := part[32]; tx_sender text[] := part[33]; tx_holder uuid[] := part[34];
    tx_nonce numeric[] := part[35]; tx_key text[] := part[36]; tx_raw bytea[] := part[37]; tx_hold_ms integer[] := part[38];
  begin
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
  end;
  end if;
  if audit is not null then
    return query select -1, e.reason from commit_events(audit) e;
  end if;
end $$;
