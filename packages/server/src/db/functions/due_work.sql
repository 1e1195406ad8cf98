-- Which workers have something to do now, found with the indexes that their claims use. A worker that is named may still find nothing to
-- claim, for example if an earlier notification has to go first. Audit logs and the numbers of receipts are checked every five
-- seconds.
create or replace function due_work() returns text[] language plpgsql as $$
declare
  at_now timestamptz := app_now();
  due text[] := '{}';
begin
  if exists (select from outbox o where o.kind = 'mail' and o.next_attempt_at <= at_now)
    or exists (select from outbox o where o.kind = 'webhook' and o.next_attempt_at <= at_now) then
    due := due || text 'outbox';
  end if;
  if exists (select from a2a_pushes p where p.next_attempt_at <= at_now)
    or exists (select from agent_runs r where r.state in ('queued', 'running') and r.due_at <= at_now)
    or exists (select from agent_runs r where r.ended_at is null and r.deadline_at <= at_now) then
    due := due || text 'agents';
  end if;
  if exists (select from broadcasts b where b.next_attempt_at <= at_now)
    or exists (select from agent_transactions t where t.state in ('sending', 'sent') and t.next_attempt_at <= at_now) then
    due := due || text 'transactions';
  end if;
  if exists (select from user_operations u where u.is_followed)
    or exists (select from user_operations u where u.state in ('building', 'built') and u.expires_at <= at_now) then
    due := due || text 'operations';
  end if;
  if exists (select from enclave_notes) then
    due := due || text 'notes';
  end if;
  if extract(epoch from clock_timestamp())::bigint % 5 = 0 and exists (
    select from organization_counters c
    where c.events >= 256 and c.events >= 256 * (1 + coalesce((
      select max(s.position) + 1 from audit_subtrees s where s.organization_id = c.organization_id and s.height = 1), 0)))
  then
    due := due || text 'trees';
  end if;
  if extract(epoch from clock_timestamp())::bigint % 5 = 0
    and exists (select from receipt_numbers n where n.settled < n.highest) then
    due := due || text 'receipts';
  end if;
  return due;
end $$;
