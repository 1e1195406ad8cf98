-- Reserves the completion of a recovery for one attempt, until the lease ends or the process `holder` is dead, with the version that its shares go under. `version` is null unless
-- reserved. `state` is `verified` when reserved, `busy` while another attempt holds it, otherwise the state of the process.
create or replace function claim_recovery(process uuid, attempt uuid, offered_hash bytea, lease interval,
  holder uuid default null)
returns table (state text, version integer, is_new_offer boolean) language plpgsql as $$
declare
  p recovery_processes;
begin
  select * into p from recovery_processes r where r.id = process for update;
  state := recovery_state(p);
  if state = 'verified' and p.attempt_ends_at > app_now() then state := 'busy'; end if;
  if state <> 'verified' then
    return next;
    return;
  end if;
  select v.version, v.is_new_offer into version, is_new_offer from reserve_share_version(p.wallet_id, offered_hash) v;
  update recovery_processes r set attempt_id = attempt, attempt_ends_at = app_now() + lease, held_by = holder where r.id = process;
  return next;
end $$;
