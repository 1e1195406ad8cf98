-- Authenticates secret keys by hash and acquires the rate limit for the `count` requests that came with each: one bucket per key. Leaves
-- unknown, revoked and expired keys out. `weights` has the costs of a key's requests, in order, where some cost more than one unit; the
-- count is their sum then. `stamp` changes with the key's row and its organization's, so that a caller who cached both
-- rows needs nothing else.
--
-- The plans are kept, since planning cost more than running. A plan made while a table was small stays good when it is large: each
-- table is looked up by itself through its index (`lateral … offset 0`), never by a join over all of it.
create or replace function authenticate_keys(
  hashes bytea[], counts integer[], period double precision, burst integer, weights text[] default null)
returns table (
  place bigint, stamp text, granted integer, remaining integer, retry_seconds double precision, reset_seconds double precision
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    with found as materialized (
      select a.place, a.n, a.weights, k.id::text as key_id, k.stamp || ' ' || o.stamp as stamp
      from unnest(hashes, counts, weights) with ordinality as a(hash, n, weights, place)
      cross join lateral (
        select q.id, q.organization_id, q.version::text as stamp from api_keys q
        where q.hash = a.hash and q.type = 'secret'
          and q.revoked_at is null and (q.expires_at is null or q.expires_at > app_now())
        offset 0) k
      cross join lateral (
        select q.version::text as stamp from organizations q where q.id = k.organization_id offset 0) o),
    asked as (
      select array_agg('s2s:' || f.key_id) as keys, array_agg(f.n) as counts, array_agg(period) as periods, array_agg(burst) as bursts,
        jsonb_object_agg('s2s:' || f.key_id, f.weights) filter (where f.weights is not null) as weights
      from found f)
    select f.place, f.stamp, p.granted, p.remaining, p.retry_seconds, p.reset_seconds
    from asked, acquire_rate_limits(asked.keys, asked.counts, asked.periods, asked.bursts, asked.weights) p
    join found f on p.key = 's2s:' || f.key_id
    where asked.keys is not null;
end $$;
