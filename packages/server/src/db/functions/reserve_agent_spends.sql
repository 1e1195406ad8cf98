-- Reserves what signatures cost, for many signing requests in one statement. Each argument is a column of the batch, one element per
-- row:
--   item_…     a session and a digest: the versions it was evaluated under (as in `commit_agent_decisions`), how many requests hold
--              it, whether they only look again at what is held already (rules have changed), what it costs as array literals
--              (counters, amounts, and the lowest cap of each, NULL: none), and whether nothing limits its transaction, which then
--              is in no counter (`uncounted`)
--   sum_…      what all items cost of each counter of a session, namely that of the item at the position (from 1)
--   counted    sessions with a transaction that something limits
-- For each item that does not fit, returns one row without a counter and one per counter of it as it stands: with the item in it if
-- it looks again, without it if not. For each item evaluated under versions that are no longer current, returns one row with
-- `is_stale`. All other items are reserved.
-- Nearly always everything is new and fits, and is written as it came; otherwise the items are checked one by one. What is held
-- already must fit the current caps too. If a counter counts it now that did not before, it is reserved there as well.
-- Each session is locked by its tally row, in the order of their ids. The commit waits for the disk and checks that the reservation
-- is there, so this need not wait.
create or replace function reserve_agent_spends(
  item_session uuid[], item_digest bytea[], item_holders integer[], item_again boolean[], item_counters text[],
  item_amounts text[], item_caps text[], item_policy_version integer[], item_rules_version bigint[],
  item_agent_version bigint[], item_uncounted boolean[],
  sum_item integer[], sum_counter text[], sum_amount numeric[], sum_cap numeric[],
  counted uuid[]
) returns table (place integer, counter_name text, spent_now text, reserved_now text, is_stale boolean) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  amount_max constant numeric := 10::numeric ^ 78 - 1;
  stale integer[]; commits_late text; done bigint;
  counters text[]; amounts numeric[]; caps numeric[];
  is_made boolean; fits boolean;
  held agent_reservations; -- The reservation of an item that existed before.
  more numeric; at_counter integer;
begin
  commits_late := set_config('synchronous_commit', 'off', true);
  perform 1 from agent_tallies t where t.owner = any(item_session) order by t.owner for update;

  -- Transactions that were signed while nothing limited their count.
  if cardinality(counted) > 0 then
    with uncounted as (
      select t.owner, t.transactions from agent_tallies t where t.owner = any(counted) and t.transactions > 0),
    emptied as (
      update agent_tallies t set transactions = 0 where t.owner = any(array(select u.owner from uncounted u)))
    insert into agent_counters as c (session_id, counter, spent)
      select u.owner, 'transactions', u.transactions from uncounted u
      on conflict (session_id, counter) do update set spent = c.spent + excluded.spent, cap = null;
  end if;

  -- The commit checks what changes from here on.
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

  -- All at once, which nearly always fits.
  if cardinality(stale) = 0 and true <> all(item_again) then
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
      -- Some are held already, or exceed a cap.
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
      -- A signature that is out stays out. A reservation must fit the current caps, like everything else.
      select r.* into held from agent_reservations r
        where r.session_id = item_session[k] and r.digest = item_digest[k] and not r.is_spent;
      if held.session_id is not null then
        -- The additional cost now: its transaction, if nothing limited the count before, or a token that was listed since.
        for s in 1 .. cardinality(counters) loop
          more := amounts[s] - coalesce(held.amounts[array_position(held.counters, counters[s])], 0);
          if more <= 0 then continue; end if;
          fits := hold_agent_counter(item_session[k], counters[s], more, caps[s]);
          exit when not fits;
          at_counter := array_position(held.counters, counters[s]);
          if at_counter is null then
            held.counters := array_append(held.counters, counters[s]);
            held.amounts := array_append(held.amounts, more);
          else
            held.amounts[at_counter] := held.amounts[at_counter] + more;
          end if;
          -- Recorded even if the item is refused in the end: the signature that it is held for would cost that.
          update agent_reservations r
            set is_uncounted = r.is_uncounted and 'transactions' <> all(held.counters), counters = held.counters, amounts = held.amounts
            where r.session_id = item_session[k] and r.digest = item_digest[k];
        end loop;
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
      -- As the caller adds it up: with what it holds already when it asks again, without it when it asks for the first time.
      return query
        select k, x.counter, coalesce(c.spent, 0)::text,
          (coalesce(c.reserved, 0) + case when item_again[k] then x.amount else 0 end
            - coalesce(held.amounts[array_position(held.counters, x.counter)], 0))::text, false
        from unnest(counters, amounts) x(counter, amount)
        left join agent_counters c on c.session_id = item_session[k] and c.counter = x.counter;
    end if;
  end loop;
end $$;
