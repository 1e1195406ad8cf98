-- phase: expand
-- Recoveries and exports that wait because their device is new to the user.

alter table recovery_processes
  -- The device that opened it, as in `devices`; null where it did not name itself.
  add column device_hash bytea,
  -- When the same code works again; its right time ends at `expires_at`. Null unless it ever waited.
  add column ready_at timestamptz,
  -- The email that says so, as long as it has not left.
  add column ready_mail_id uuid,
  drop constraint recovery_processes_state_check,
  add constraint recovery_processes_state_check
    check (state in ('open', 'delayed', 'verified', 'completed', 'locked', 'expired') and (state <> 'delayed' or ready_at is not null));

alter table key_transfers
  add column device_hash bytea,
  add column ready_at timestamptz,
  add column ready_mail_id uuid,
  drop constraint key_transfers_state_check,
  add constraint key_transfers_state_check check (
    state in ('open', 'delayed', 'completed', 'locked', 'expired')
    and (state <> 'delayed' or ready_at is not null and kind = 'export'));
