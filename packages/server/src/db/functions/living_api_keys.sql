-- How many API keys of a type work, or will, in an organization. Where fewer than `enough` do, the count is exact until the caller's
-- transaction ends: it takes the counter row's lock, as whoever mints or revokes does. With `enough` of them it takes no lock: what an
-- organization refuses does not wait for its signatures, nor they for it.
create or replace function living_api_keys(organization uuid, of_type text, enough integer) returns integer language plpgsql as $$
declare
  moment timestamptz := app_now();
  living integer;
begin
  for attempt in 1 .. 2 loop
    -- After the lock, a statement of its own sees what was committed until then.
    if attempt = 2 then
      perform 1 from organization_counters c where c.organization_id = organization for update;
    end if;
    select count(*) into living from api_keys k
      where k.organization_id = organization and (case when k.revoked_at is null then k.type end) = of_type
        and coalesce(k.expires_at, 'infinity') > moment;
    exit when living >= enough;
  end loop;
  return living;
end $$;
