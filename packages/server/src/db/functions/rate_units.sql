-- The units that requests of one bucket get out of `room`: `asked` of them as far as it goes, or, where their costs are given in order
-- ("4 1 1"), those of each request that still fits whole.
create or replace function rate_units(asked integer, room integer, weights text)
returns integer language plpgsql immutable parallel safe as $$
declare
  units integer := 0;
  weight integer;
begin
  if weights is null then return least(asked, room); end if;
  foreach weight in array string_to_array(weights, ' ')::integer[] loop
    if units + weight <= room then units := units + weight; end if;
  end loop;
  return units;
end $$;
