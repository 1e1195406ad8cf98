-- Takes up to `rows_max` due notifications, for each receiver the oldest only, so that they come in order.
create or replace function claim_a2a_pushes(rows_max integer, lease interval)
returns table (
  id bigint, run_id uuid, config_id text, state text, changed_at timestamptz, attempts integer, config_sealed bytea, wire_version text
) language sql as $$
  with clock as materialized (select app_now() as now),
  due as materialized (
    select p.id from a2a_pushes p, clock
    where p.next_attempt_at <= now and not exists (
      select from a2a_pushes e where e.run_id = p.run_id and e.config_id = p.config_id and e.id < p.id)
    order by p.next_attempt_at limit rows_max for update of p skip locked)
  update a2a_pushes p set attempts = p.attempts + 1, next_attempt_at = now + lease
  from due, clock, a2a_push_configs c
  where p.id = due.id and c.run_id = p.run_id and c.id = p.config_id
  returning p.id, p.run_id, p.config_id, p.state, p.changed_at, p.attempts, c.config_sealed, c.wire_version
$$;
