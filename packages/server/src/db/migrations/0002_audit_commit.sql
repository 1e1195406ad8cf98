-- Guards that do not hold: the wallet must be active, the key alive, the token not logged out, the time not past.
--   events  [{i, o, gw: wallet, gk: key, gj: token hash in hex, gx: expiry, gm: missed events that a gap event tells}]
create function broken_guards(events jsonb, at_now timestamptz) returns table (i integer, reason text) language sql stable as $$
  select x.i, case
      when x.gk is not null and (k.id is null or k.revoked_at is not null) then 'unauthorized'
      when x.gk is not null and k.expires_at <= at_now then 'unauthorized'
      when r.token_hash is not null then 'token_revoked'
      when x.gx <= at_now then 'token_expired'
      when x.gm > c.events_missed then 'gap_told'
      when w.status = 'archived' then 'wallet_archived'
      else 'not_found' end
  from jsonb_to_recordset(events) as x(i integer, o uuid, gw uuid, gk uuid, gj text, gx timestamptz, gm bigint)
  left join wallets w on w.id = x.gw and w.organization_id = x.o
  left join api_keys k on k.id = x.gk and k.organization_id = x.o
  left join revoked_tokens r on r.organization_id = x.o and r.token_hash = decode(x.gj, 'hex')
  left join organization_counters c on c.organization_id = x.o and x.gm is not null
  where (x.gw is not null and w.status is distinct from 'active')
    or (x.gk is not null and (k.id is null or k.revoked_at is not null or k.expires_at <= at_now))
    or r.token_hash is not null
    or x.gx <= at_now
    or x.gm > c.events_missed
$$;

-- Appends a batch of events and releases what waits for them, all or nothing.
--   batch   [{o: organization, total, succeeded, told, by_type: [bigint…]}]: what the batch adds per organization
--   events  [{i, o, r, rt, rs, rts, t, s, id, u, w, at, ai, p, e} and guards]: r… are ranks within the batch, from 1
-- Answers one row per broken guard (then nothing was written), and i = -1 for each organization that owes a gap event.
-- The counter row is locked first and each later statement sees what was committed until then: whoever archives, revokes
-- or logs out takes the same lock, so no answer passes behind theirs.
create function commit_events(batch jsonb, events jsonb) returns table (i integer, reason text)
language plpgsql as $$
declare
  at_now timestamptz;
begin
  perform 1 from organization_counters c
    where c.organization_id in (select (b->>'o')::uuid from jsonb_array_elements(batch) b)
    order by c.organization_id for update;
  at_now := date_trunc('milliseconds', app_now());

  return query select g.i, g.reason from broken_guards(events, at_now) g;
  if found then return; end if;

  insert into audit_events (organization_id, n, n_type, n_success, n_type_success, type, success, id, at,
      user_identity_id, wallet_id, actor_type, actor_id, payload, error_code)
    select x.o,
      c.events + x.r,
      coalesce(c.events_by_type[2 * x.t + 1], 0) + coalesce(c.events_by_type[2 * x.t + 2], 0) + x.rt,
      case when x.s then c.events_succeeded else c.events - c.events_succeeded end + x.rs,
      coalesce(c.events_by_type[2 * x.t + 1 + x.s::integer], 0) + x.rts,
      x.t, x.s, x.id, at_now, x.u, x.w, x.at, x.ai, x.p, x.e
    from jsonb_to_recordset(events) as x(o uuid, r bigint, rt bigint, rs bigint, rts bigint, t integer, s boolean, id uuid,
      u uuid, w uuid, at text, ai text, p jsonb, e text)
    join organization_counters c on c.organization_id = x.o;

  return query
    with added as (
      update organization_counters c set
        events = c.events + b.total,
        events_succeeded = c.events_succeeded + b.succeeded,
        events_missed = c.events_missed - b.told,
        events_by_type = (
          select array_agg(coalesce(v.a, 0) + coalesce(v.b, 0) order by v.position)
          from rows from (unnest(c.events_by_type), unnest(b.by_type)) with ordinality as v(a, b, position))
      from jsonb_to_recordset(batch) as b(o uuid, total bigint, succeeded bigint, told bigint, by_type bigint[])
      where c.organization_id = b.o
      returning c.organization_id, c.events_missed)
    select -1, a.organization_id::text || ' ' || a.events_missed::text from added a where a.events_missed > 0;
end $$;
