-- Leaves a note for the enclave when a session is revoked, however that happens: part of the transaction that revokes it.
create or replace function note_revoked_session() returns trigger language plpgsql as $$
begin
  insert into enclave_notes (organization_id, kind, subject_id, ends_at)
    values (new.organization_id, 'session_revoked', new.id, new.expires_at);
  return null;
end $$;
create or replace trigger note_revoked_session after update of status on agent_sessions
  for each row when (new.status = 'revoked' and old.status <> 'revoked') execute function note_revoked_session();
