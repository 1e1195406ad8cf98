-- No new operation takes the sponsored gas of the installation above the month's limit: it fails as above that of its organization, with
-- SQLSTATE SYGAS. Asked after `count_installation_gas` has added it, so the row is locked until the end. What is settled or reopened always
-- counts. Without a limit, nothing is sponsored.
create or replace function limit_installation_gas() returns trigger language plpgsql as $$
begin
  if not exists (
    select from installation_gas_months m, installation_quotas q
    where m.month = new.month
      and m.reserved_micro + m.settled_micro <= q.sponsored_gas_eur_per_month * 1000000::bigint
  ) then
    raise exception 'The sponsored gas of this installation is used up for the month.' using errcode = 'SYGAS';
  end if;
  return null;
end $$;

create or replace trigger limit_installation_gas after insert on user_operations for each row
  when (new.reserve_micro > 0)
  execute function limit_installation_gas();
