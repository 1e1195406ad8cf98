-- Leaves a note for the enclave when an organization gets other rules: part of the transaction that changes them.
create or replace function note_rules_version() returns trigger language plpgsql as $$
begin
  insert into enclave_notes (organization_id, kind, subject_id, version)
    values (new.organization_id, 'rules_changed', new.organization_id, new.version);
  return null;
end $$;
create or replace trigger note_rules_version after insert or update of version on organization_rules
  for each row execute function note_rules_version();
