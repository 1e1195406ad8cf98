-- Takes permits from GCRA buckets (`burst` at once, then one per `period` seconds), many buckets in one statement.
-- A count above one stands for requests that asked at the same moment: `granted` of them pass.
-- Rows are locked in the order of their keys, so that two processes never wait for each other.
create function take_permits(keys text[], counts integer[], periods double precision[], bursts integer[])
returns table (key text, granted integer, remaining integer, retry_seconds double precision, reset_seconds double precision)
language sql as $$
  with clock as materialized (select extract(epoch from app_now())::double precision as now)
  insert into rate_limits as l (key, tat, seen_at, period_seconds, burst, granted)
    select a.key, clock.now + least(a.n, a.burst) * a.period, clock.now, a.period, a.burst, least(a.n, a.burst)
    from unnest(keys, counts, periods, bursts) as a(key, n, period, burst), clock
    order by a.key
  on conflict (key) do update set
    -- The small addend forgives 50 µs: a double near 2^31 seconds is exact to a quarter of a microsecond, and sums round.
    granted = greatest(0, least(excluded.granted,
      floor((excluded.seen_at + excluded.burst * excluded.period_seconds - greatest(l.tat, excluded.seen_at))
        / excluded.period_seconds + 5e-5 / excluded.period_seconds)::integer)),
    tat = greatest(l.tat, excluded.seen_at) + excluded.period_seconds * greatest(0, least(excluded.granted,
      floor((excluded.seen_at + excluded.burst * excluded.period_seconds - greatest(l.tat, excluded.seen_at))
        / excluded.period_seconds + 5e-5 / excluded.period_seconds)::integer)),
    seen_at = excluded.seen_at,
    period_seconds = excluded.period_seconds,
    burst = excluded.burst
  returning l.key, l.granted,
    greatest(0, floor((l.seen_at + l.burst * l.period_seconds - l.tat) / l.period_seconds + 5e-5 / l.period_seconds)::integer),
    greatest(0, l.tat + l.period_seconds - l.burst * l.period_seconds - l.seen_at),
    greatest(0, l.tat - l.seen_at)
$$;

-- Secret keys by hash, each with a permit for `count` requests that came with it: one bucket per key.
-- Unknown, revoked and expired keys are left out. `stamp` changes whenever the key's row or its organization's does, so
-- that a caller who knows the row already needs nothing else.
create function admit_keys(hashes bytea[], counts integer[], period double precision, burst integer)
returns table (
  place bigint, stamp text, granted integer, remaining integer, retry_seconds double precision, reset_seconds double precision
) language plpgsql as $$
begin
  return query
    with found as materialized (
      select a.place, a.n, k.key_id, k.stamp
      from unnest(hashes, counts) with ordinality as a(hash, n, place)
      -- Each by its index: the planner takes the array for ten rows and would rather compare every key with every row.
      cross join lateral (
        select k.id::text as key_id, k.xmin::text || ' ' || o.xmin::text as stamp
        from api_keys k join organizations o on o.id = k.organization_id
        where k.hash = a.hash and k.type = 'secret'
          and k.revoked_at is null and (k.expires_at is null or k.expires_at > app_now())
        offset 0) k),
    asked as (
      select array_agg('s2s:' || f.key_id) as keys, array_agg(f.n) as counts, array_agg(period) as periods,
        array_agg(burst) as bursts
      from found f)
    select f.place, f.stamp, p.granted, p.remaining, p.retry_seconds, p.reset_seconds
    from asked, take_permits(asked.keys, asked.counts, asked.periods, asked.bursts) p
    join found f on p.key = 's2s:' || f.key_id
    where asked.keys is not null;
end $$;
