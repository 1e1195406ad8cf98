-- Commits decisions on signing requests, all or none: events with dense ranks, reservations that become spent, transactions with
-- their nonces. Each argument is a column of the batch, one element per row:
--   organizations   those of the batch
--   guard_…   what was evaluated under, with the event's position: versions of the grant, of the rules (0: none) and of the agent's
--             policy (NULL: no agent). Session and wallet must be active too. `digest` of a signature that leaves and costs
--             something: it must be reserved
--   tally_…   what the batch adds to sessions and runs
--   event_…   rank… are ranks within the batch, from 1; `event_fee` is missing from builds that know none
--   tx_…      transactions with the event's position, the holder of the nonce's lease, and how long the sender has it to itself (ms),
--             unless its process, which holds the lease, dies
--   attempt…  the attempts of idempotency keys that decisions belong to, with the event's position: one whose key was taken over breaks it
--   receipt_… the numbers of the receipts that `commit_events` stores, with the event's position: one that is known already breaks it.
--             `tx_receipt` is the receipt of a transaction
-- Returns one row per broken guard; then nothing was written. A signature for a run that has ended does not leave. The audit events of
-- the decisions are written by `commit_events` in the same statement, if this returns no row.
-- Locks the counter rows of the organizations first, as everywhere, then the tallies of the sessions, both in the order of their ids.
create or replace function commit_agent_decisions(
  organizations uuid[],
  guard_position integer[], guard_policy_version integer[], guard_rules_version bigint[],
  guard_agent_version bigint[], guard_digest bytea[],
  tally_owner uuid[], tally_allowed bigint[], tally_rejected bigint[], tally_failed bigint[],
  event_session uuid[], event_rank bigint[], event_rank_outcome bigint[], event_outcome smallint[], event_id uuid[],
  event_run uuid[], event_rank_run bigint[], event_rank_run_outcome bigint[], event_chain text[], event_method text[],
  event_target text[], event_value numeric[], event_asset text[], event_reason text[], event_layer text[],
  event_payload bytea[], event_tx_hash text[],
  tx_position integer[], tx_id uuid[], tx_identity uuid[], tx_sender text[], tx_holder uuid[], tx_nonce numeric[],
  tx_key text[], tx_raw bytea[], tx_hold_ms integer[],
  event_fee numeric[] default null,
  attempt_position integer[] default '{}', attempt_scope bytea[] default '{}', attempt_key text[] default '{}', attempt uuid[] default '{}',
  tx_receipt uuid[] default null,
  receipt_position integer[] default '{}', receipt_organization uuid[] default '{}', receipt_kid text[] default '{}',
  receipt_counter bigint[] default '{}'
) returns table (i integer, reason text) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  at_now timestamptz;
  is_broken boolean;
begin
  perform 1 from organization_counters c
    where c.organization_id = any(organizations) order by c.organization_id for update;
  perform 1 from agent_tallies t where t.owner = any(event_session) order by t.owner for update;
  -- Then the keys, and the nonces: what is checked below stays so, whoever thinks meanwhile that this process is dead.
  perform 1 from idempotency_keys k where (k.scope, k.key) in (select * from unnest(attempt_scope, attempt_key))
    order by k.scope, k.key for update;
  perform 1 from unnest(tx_position, tx_holder) x(i, holder)
    cross join lateral (select q.wallet_id from agent_sessions q where q.id = event_session[x.i + 1] offset 0) s
    cross join lateral (
      select q.holder from agent_nonces q
      where q.wallet_id = s.wallet_id and q.chain = event_chain[x.i + 1] and q.holder = x.holder for update offset 0) n;
  at_now := date_trunc('milliseconds', app_now());

  return query
    select x.i, x.broken from (
      select g.i, case
        when s.status is distinct from 'active' then 'revoked'
        when least(s.expires_at, (a.policy ->> 'expires_at')::timestamptz, case when not s.is_implicit then
          s.created_at + (r.rules ->> 'max_session_ttl_seconds')::bigint * interval '1 second' end) <= at_now then 'expired'
        when w.status is distinct from 'active' then 'wallet_archived'
        when event_outcome[g.i + 1] = 0 and u.ended_at is not null then 'run_ended'
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
      left join lateral (select q.ended_at from agent_runs q where q.id = event_run[g.i + 1] offset 0) u on true
      left join lateral (
        select true as is_reserved from agent_reservations q where q.session_id = s.id and q.digest = g.digest offset 0) p on true
      offset 0) x
    where x.broken is not null;
  is_broken := found;
  if cardinality(attempt) > 0 then
    return query
      select g.position, 'attempt_lost'
      from unnest(attempt_position, attempt_scope, attempt_key, attempt) g(position, scope, key, id)
      left join lateral (
        select true as is_ours from idempotency_keys q
        where q.scope = g.scope and q.key = g.key and q.attempt_id = g.id and q.state in ('running', 'touched', 'committed')
        offset 0) k on true
      where k.is_ours is null;
    is_broken := is_broken or found;
  end if;
  if cardinality(receipt_kid) > 0 then
    return query
      select g.position, 'receipt_known'
      from unnest(receipt_position, receipt_organization, receipt_kid, receipt_counter) g(position, organization_id, kid, counter)
      cross join lateral (
        select true as is_known from receipts q
        where q.organization_id = g.organization_id and q.kid = g.kid and q.counter = g.counter offset 0) k;
    is_broken := is_broken or found;
  end if;
  if cardinality(tx_position) > 0 then
    return query
      select x.i, case when exists (
          select from agent_transactions q where q.session_id = event_session[x.i + 1] and q.request_key = x.key)
        then 'key_taken' else 'lease_lost' end
      from unnest(tx_position, tx_holder, tx_key) x(i, holder, key)
      join agent_sessions s on s.id = event_session[x.i + 1]
      left join agent_nonces n on n.wallet_id = s.wallet_id and n.chain = event_chain[x.i + 1] and n.holder = x.holder
      where n.holder is null or n.lease_until <= at_now
        or exists (select from agent_transactions q where q.session_id = event_session[x.i + 1] and q.request_key = x.key);
    is_broken := is_broken or found;
  end if;
  if is_broken then return; end if;

  insert into agent_events (session_id, n, n_outcome, outcome, id, at, run_id, n_run, n_run_outcome, chain, method, target,
      value, fee, asset, reason_code, layer, payload_sha256, tx_hash)
    select x.session_id, t.allowed + t.rejected + t.failed + x.rank,
      case x.outcome when 0 then t.allowed when 1 then t.rejected else t.failed end + x.rank_outcome,
      x.outcome, x.id, at_now, x.run,
      case when x.run is not null then coalesce(u.allowed + u.rejected + u.failed, 0) + x.rank_run end,
      case when x.run is not null then
        coalesce(case x.outcome when 0 then u.allowed when 1 then u.rejected else u.failed end, 0) + x.rank_run_outcome end,
      x.chain, x.method, x.target, x.value, x.fee, x.asset, x.reason, x.layer, x.payload, x.tx_hash
    from (
      select unnest(event_session) as session_id, unnest(event_rank) as rank, unnest(event_rank_outcome) as rank_outcome,
        unnest(event_outcome) as outcome, unnest(event_id) as id, unnest(event_run) as run, unnest(event_rank_run) as rank_run,
        unnest(event_rank_run_outcome) as rank_run_outcome, unnest(event_chain) as chain, unnest(event_method) as method,
        unnest(event_target) as target, unnest(event_value) as value, unnest(event_fee) as fee, unnest(event_asset) as asset,
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
    update agent_transactions q set state = 'replaced'
      from unnest(tx_position, tx_nonce) x(i, nonce) join agent_sessions s on s.id = event_session[x.i + 1]
      where q.wallet_id = s.wallet_id and q.chain = event_chain[x.i + 1] and q.nonce = x.nonce and q.state = 'refused';
    insert into agent_transactions (id, organization_id, session_id, wallet_id, user_identity_id, chain, sender, nonce,
        request_key, tx_hash, raw_tx, created_at, next_attempt_at, held_by, receipt_id)
      select x.id, s.organization_id, s.id, s.wallet_id, x.identity, event_chain[x.i + 1], x.sender, x.nonce, x.key,
        event_tx_hash[x.i + 1], x.raw, at_now, at_now + x.hold_ms * interval '1 ms', n.held_by,
        x.receipt
      from unnest(tx_position, tx_id, tx_identity, tx_sender, tx_holder, tx_nonce, tx_key, tx_raw, tx_hold_ms, tx_receipt)
        x(i, id, identity, sender, holder, nonce, key, raw, hold_ms, receipt)
      cross join lateral (
        select q.id, q.organization_id, q.wallet_id from agent_sessions q where q.id = event_session[x.i + 1] offset 0) s
      cross join lateral (
        select q.held_by from agent_nonces q
        where q.wallet_id = s.wallet_id and q.chain = event_chain[x.i + 1] and q.holder = x.holder offset 0) n;
    update agent_nonces n set next = greatest(n.next, x.nonce + 1), holder = null, lease_until = null, held_by = null
      from (
        select y.holder, y.nonce, s.wallet_id, event_chain[y.i + 1] as chain
        from unnest(tx_position, tx_holder, tx_nonce) y(i, holder, nonce)
        cross join lateral (select q.wallet_id from agent_sessions q where q.id = event_session[y.i + 1] offset 0) s offset 0) x
      where n.wallet_id = x.wallet_id and n.chain = x.chain and n.holder = x.holder;
  end if;
end $$;
