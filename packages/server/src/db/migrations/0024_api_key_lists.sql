-- phase: expand
-- The keys that work, and the newest ones, of organizations that have minted and revoked any number of them.

create index api_keys_living on api_keys (organization_id, type, coalesce(expires_at, 'infinity')) where revoked_at is null;
create index api_keys_newest on api_keys (organization_id, created_at desc, id desc);
