-- phase: expand
-- The fee of what an agent asked to have signed, in the worst case, beside its value; null: none of the wallet's.

alter table agent_events add column fee numeric(78, 0);
