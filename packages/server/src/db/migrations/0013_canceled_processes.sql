-- phase: expand
-- When a link in an email canceled a recovery or an export: the pages of its links say so.

alter table recovery_processes add column canceled_at timestamptz;
alter table key_transfers add column canceled_at timestamptz;
