-- Leaves a note for the enclave when a TEE wallet is archived or unarchived: part of the transaction that does it.
create or replace function note_wallet_status() returns trigger language plpgsql as $$
begin
  insert into enclave_notes (organization_id, kind, subject_id)
    values (new.organization_id, 'wallet_' || new.status, new.id);
  return null;
end $$;
create or replace trigger note_wallet_status after update of status on wallets
  for each row when (new.status <> old.status and new.signing_mode = 'tee') execute function note_wallet_status();
