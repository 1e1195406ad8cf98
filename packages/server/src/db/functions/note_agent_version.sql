-- Leaves a note for the enclave when an agent gets another policy: part of the transaction that changes it.
create or replace function note_agent_version() returns trigger language plpgsql as $$
begin
  insert into enclave_notes (organization_id, kind, subject_id, version)
    values (new.organization_id, 'agent_changed', new.id, new.policy_version);
  return null;
end $$;
create or replace trigger note_agent_version after update of policy_version on agents
  for each row when (new.policy_version <> old.policy_version) execute function note_agent_version();
