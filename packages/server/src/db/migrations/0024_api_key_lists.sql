-- phase: expand
-- The keys that work, and the newest ones, of organizations that have minted and revoked any number of them.

-- Its columns are expressions, and it is not partial: a plan of `authenticate_keys`, made while the table was small, must find no use for it.
create index api_keys_living on api_keys (organization_id, (case when revoked_at is null then type end), coalesce(expires_at, 'infinity'));
create index api_keys_newest on api_keys (organization_id, created_at desc, id desc);
