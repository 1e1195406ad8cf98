-- An organization's month is the sum of its wallets' months. Locked after the wallet's month, by everybody.
create or replace function count_organization_gas() returns trigger language plpgsql as $$
declare
  organization constant uuid := (select w.organization_id from wallets w where w.id = new.wallet_id);
  reserved constant bigint := new.reserved_micro - coalesce(old.reserved_micro, 0);
  settled constant bigint := new.settled_micro - coalesce(old.settled_micro, 0);
begin
  update organization_gas_months m
  set reserved_micro = m.reserved_micro + reserved, settled_micro = m.settled_micro + settled
  where m.organization_id = organization and m.month = new.month;
  if found then return null; end if;
  insert into organization_gas_months as m (organization_id, month, reserved_micro, settled_micro)
  values (organization, new.month, reserved, settled)
  on conflict (organization_id, month) do update
  set reserved_micro = m.reserved_micro + excluded.reserved_micro, settled_micro = m.settled_micro + excluded.settled_micro;
  return null;
end $$;

create or replace trigger count_organization_gas after insert or update on sponsor_months for each row
  execute function count_organization_gas();
