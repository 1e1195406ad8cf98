-- Lets requests pass through GCRA buckets (`burst` at once, then one per `period` seconds), many buckets in one statement.
-- A count above one stands for requests that asked at the same moment: `granted` of them pass. Where some cost more than one unit,
-- `weights` has the costs of all of a bucket, in order ("4 1 1"), under its key, and the count is their sum: each request that still
-- fits passes whole, and `granted` is what those cost together.
-- Rows are locked in the order of their keys, so that two processes never wait for each other.
create or replace function acquire_rate_limits(
  keys text[], counts integer[], periods double precision[], bursts integer[], weights jsonb default null)
returns table (key text, granted integer, remaining integer, retry_seconds double precision, reset_seconds double precision)
language sql as $$
  with clock as materialized (select extract(epoch from app_now())::double precision as now)
  insert into rate_limits as l (key, tat, seen_at, period_seconds, burst, granted)
    select a.key, clock.now + f.units * a.period, clock.now, a.period, a.burst, f.units
    from clock, unnest(keys, counts, periods, bursts) as a(key, n, period, burst)
    cross join lateral (select case when weights is null then least(a.n, a.burst)
      else rate_units(a.n, a.burst, weights ->> a.key) end as units) f
    order by a.key
  on conflict (key) do update set
    granted = case when weights is null
      then least(excluded.granted, rate_room(l.tat, excluded.seen_at, excluded.burst, excluded.period_seconds))
      else rate_units(excluded.granted, rate_room(l.tat, excluded.seen_at, excluded.burst, excluded.period_seconds), weights ->> l.key)
      end,
    tat = greatest(l.tat, excluded.seen_at) + excluded.period_seconds * case when weights is null
      then least(excluded.granted, rate_room(l.tat, excluded.seen_at, excluded.burst, excluded.period_seconds))
      else rate_units(excluded.granted, rate_room(l.tat, excluded.seen_at, excluded.burst, excluded.period_seconds), weights ->> l.key)
      end,
    seen_at = excluded.seen_at,
    period_seconds = excluded.period_seconds,
    burst = excluded.burst
  returning l.key, l.granted, rate_room(l.tat, l.seen_at, l.burst, l.period_seconds),
    greatest(0, l.tat + l.period_seconds - l.burst * l.period_seconds - l.seen_at),
    greatest(0, l.tat - l.seen_at)
$$;
