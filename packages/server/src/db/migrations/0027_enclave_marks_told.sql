-- phase: expand
-- When the audit log of an organization last got the number and root of the enclave's marks; from the day after it was made on.
create table enclave_marks_told (
  organization_id uuid primary key references organizations on delete cascade,
  told_at timestamptz not null
);
