-- Notes in a transaction that changes something which attempt of an idempotency key it belongs to; false where the key was taken over.
create or replace function note_attempt(attempt_scope bytea, attempt_key text, attempt uuid, has_succeeded boolean) returns boolean
language plpgsql as $$
begin
  if pg_current_xact_id_if_assigned() is null then return true; end if;
  update idempotency_keys k set state = case when has_succeeded or k.state = 'committed' then 'committed' else 'touched' end
    where k.scope = attempt_scope and k.key = attempt_key and k.attempt_id = attempt and k.state in ('running', 'touched', 'committed');
  return found;
end $$;
