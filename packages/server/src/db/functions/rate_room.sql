-- How many units a GCRA bucket has left at `seen_at`. The small addend forgives 50 µs: a double near 2^31 seconds is exact to a quarter
-- of a microsecond, and sums round.
create or replace function rate_room(tat double precision, seen_at double precision, burst integer, period double precision)
returns integer language sql immutable parallel safe as $$
  select greatest(0, floor((seen_at + burst * period - greatest(tat, seen_at)) / period + 5e-5 / period)::integer)
$$;
