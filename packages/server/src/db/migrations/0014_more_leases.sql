-- phase: expand
-- Who holds the other leases: what a dead process held of them is free at once, as in 0009. `settlement_leases` has its `holder` already.
alter table agent_transactions add column held_by uuid;
create index agent_transactions_held on agent_transactions (held_by) where held_by is not null;
alter table agent_nonces add column held_by uuid;
create index agent_nonces_held on agent_nonces (held_by) where held_by is not null;
alter table user_operations add column held_by uuid;
create index user_operations_held on user_operations (held_by) where held_by is not null;
alter table recovery_processes add column held_by uuid;
create index recovery_processes_held on recovery_processes (held_by) where held_by is not null;
alter table share_refreshes add column held_by uuid;
create index share_refreshes_held on share_refreshes (held_by) where held_by is not null;
