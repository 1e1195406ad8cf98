-- Looks for numbers of receipts that are lost: at most `numbers_max` numbers of each of `keys_max` receipt keys, those first that were looked
-- at longest ago. A number is lost once a later one of its key was stored `age` ago: nothing that comes after so long is stored any more
-- (`commit_events`), since its number is then reported. Notes up to where all numbers are known, so that none is looked at twice.
-- Returns the lost numbers, and a row without a number for each key that has further ones (`is_more`).
create or replace function find_lost_receipts(keys_max integer, numbers_max integer, age interval)
returns table (organization_id uuid, kid text, counter bigint, is_more boolean) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  at_now timestamptz := date_trunc('milliseconds', app_now());
  one record;
  missing bigint[];
  upto bigint;
begin
  for one in
    select n.organization_id, n.kid, n.settled, n.highest from receipt_numbers n where n.settled < n.highest
    order by n.checked_at limit keys_max for no key update skip locked
  loop
    upto := least(one.highest, one.settled + numbers_max);
    select coalesce(array_agg(g.number order by g.number), '{}') into missing
      from generate_series(one.settled + 1, upto) g(number)
      left join lateral (
        select true as is_known from receipts r
        where r.organization_id = one.organization_id and r.kid = one.kid and r.counter = g.number offset 0) k on true
      where k.is_known is null;
    update receipt_numbers n set settled = coalesce(missing[1] - 1, upto), checked_at = at_now
      where n.organization_id = one.organization_id and n.kid = one.kid;
    return query
      select one.organization_id, one.kid, m.number, false from unnest(missing) m(number)
      cross join lateral (
        select r.stored_at from receipts r
        where r.organization_id = one.organization_id and r.kid = one.kid and r.counter > m.number
        order by r.counter limit 1) later
      where later.stored_at <= at_now - age;
    if cardinality(missing) = 0 and upto < one.highest then
      return query select one.organization_id, one.kid, null::bigint, true;
    end if;
  end loop;
end $$;
