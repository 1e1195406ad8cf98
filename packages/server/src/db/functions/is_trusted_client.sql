-- Whether an organization trusts a client address, so that the limits per address leave it alone there.
create or replace function is_trusted_client(organization uuid, address inet) returns boolean language sql stable as $$
  select exists (select from organizations o where o.id = organization and address <<= any(o.trusted_clients))
$$;
