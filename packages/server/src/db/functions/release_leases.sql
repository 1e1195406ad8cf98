-- Frees what dead processes held, in one way for all leases: they end now, and name nobody, so that one that only seemed dead finds its
-- writes refused. Of idempotency keys, one of which nothing was committed is free, another one is spent, since its answer is lost. Keys are
-- found by their end: those older than a minute are free, or spent, by their age.
create or replace function release_leases(dead uuid[]) returns void language plpgsql as $$
declare
  at_now timestamptz := app_now();
begin
  if cardinality(dead) = 0 then return; end if;
  delete from idempotency_keys k
    where k.expires_at >= at_now + interval '24 hours' - interval '60 seconds' and k.state = 'running' and k.process_id = any(dead);
  update idempotency_keys k set state = 'spent'
    where k.expires_at >= at_now + interval '24 hours' - interval '60 seconds' and k.state in ('touched', 'committed')
      and k.process_id = any(dead);
  update outbox o set next_attempt_at = at_now, held_by = null where o.held_by = any(dead);
  update a2a_pushes p set next_attempt_at = at_now, held_by = null where p.held_by = any(dead);
  update broadcasts b set next_attempt_at = at_now, held_by = null where b.held_by = any(dead);
  update agent_nonces n set holder = null, lease_until = null, held_by = null where n.held_by = any(dead);
  update agent_transactions t set next_attempt_at = at_now, held_by = null
    where t.held_by = any(dead) and t.state in ('sending', 'sent');
  update user_operations u set next_send_at = at_now, attempt_id = null, held_by = null
    where u.held_by = any(dead) and u.state in ('sending', 'sent');
  delete from settlement_leases l where l.holder = any(dead);
  update recovery_processes r set attempt_id = null, attempt_ends_at = null, held_by = null where r.held_by = any(dead);
  delete from share_refreshes r where r.held_by = any(dead);
  -- In the order in which others lock them.
  with ours as materialized (
    select r.id from agent_runs r where r.held_by = any(dead) and r.state = 'running' order by r.id for update)
  update agent_runs r set due_at = at_now, held_by = null from ours where r.id = ours.id;
end $$;
