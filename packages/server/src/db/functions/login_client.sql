-- A client address as it is counted: an IPv6 address by its /64, an address that cannot be read as the one of nobody.
create or replace function login_client(address inet) returns inet language sql immutable parallel safe as $$
  select case
    when address is null then inet '::'
    when family(address) = 6 then network(set_masklen(address, 64))::inet
    else set_masklen(address, 32) end
$$;
