-- Which process runs the attempt: once it is dead, so are its attempts. Null where an older release wrote the row.
alter table idempotency_keys add column process_id uuid;
