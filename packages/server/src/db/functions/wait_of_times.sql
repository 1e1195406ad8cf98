-- When the one after the `most`-th newest of the times may follow: `span` after that one. Null while there are fewer.
create or replace function wait_of_times(times timestamptz[], most integer, span interval) returns timestamptz
language sql immutable parallel safe as $$
  select t + span from unnest(times) t order by t desc offset most - 1 limit 1
$$;
