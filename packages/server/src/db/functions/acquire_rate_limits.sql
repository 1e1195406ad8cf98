-- Lets requests pass through GCRA buckets (`burst` at once, then one per `period` seconds), many buckets in one statement.
-- A count above one stands for requests that asked at the same moment: `granted` of them pass.
-- Rows are locked in the order of their keys, so that two processes never wait for each other.
create or replace function acquire_rate_limits(keys text[], counts integer[], periods double precision[], bursts integer[])
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
