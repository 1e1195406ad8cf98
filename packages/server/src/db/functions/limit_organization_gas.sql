-- No new operation takes the sponsored gas of its organization above the month's limit: it fails with SQLSTATE SYGAS, its reservation with
-- it. Asked after `count_organization_gas` has added it, so the row is locked until the end. What is settled or reopened always counts.
create or replace function limit_organization_gas() returns trigger language plpgsql as $$
begin
  if exists (
    select from organization_gas_months m join organizations o on o.id = m.organization_id
    where m.organization_id = new.organization_id and m.month = new.month
      and m.reserved_micro + m.settled_micro > o.sponsored_gas_eur_per_month * 1000000::bigint
  ) then
    raise exception 'The sponsored gas of this organization is used up for the month.' using errcode = 'SYGAS';
  end if;
  return null;
end $$;

create or replace trigger limit_organization_gas after insert on user_operations for each row
  when (new.reserve_micro > 0)
  execute function limit_organization_gas();
