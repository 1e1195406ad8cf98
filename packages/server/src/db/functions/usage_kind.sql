-- The kind of usage that an event counts as, null for none. Types are indexes in the contract's list.
create or replace function usage_kind(type smallint, success boolean, payload jsonb) returns text language sql immutable parallel safe as $$
  select case
    when type in (0, 18) and success then 'wallets_created'
    when type = 15 and success then 'signatures.' || (payload ->> 'network')
    when type = 16 then 'refusals'
    when not success then 'errors'
    when type = 19 and coalesce(payload ->> 'purpose', 'sign') = 'sign' then 'share_releases'
  end
$$;
