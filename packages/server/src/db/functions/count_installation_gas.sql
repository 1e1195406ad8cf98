-- The installation's month is the sum of its organizations' months. Locked after the organization's month, by everybody.
create or replace function count_installation_gas() returns trigger language plpgsql as $$
declare
  reserved constant bigint := new.reserved_micro - coalesce(old.reserved_micro, 0);
  settled constant bigint := new.settled_micro - coalesce(old.settled_micro, 0);
begin
  update installation_gas_months m
  set reserved_micro = m.reserved_micro + reserved, settled_micro = m.settled_micro + settled
  where m.month = new.month;
  if found then return null; end if;
  insert into installation_gas_months as m (month, reserved_micro, settled_micro)
  values (new.month, reserved, settled)
  on conflict (month) do update
  set reserved_micro = m.reserved_micro + excluded.reserved_micro, settled_micro = m.settled_micro + excluded.settled_micro;
  return null;
end $$;

create or replace trigger count_installation_gas after insert or update on organization_gas_months for each row
  execute function count_installation_gas();
