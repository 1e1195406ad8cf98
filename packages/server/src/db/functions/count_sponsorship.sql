-- Counts the cost of sponsored operations on the day of their first confirmation; undone when the chain drops them.
create or replace function count_sponsorship() returns trigger language plpgsql as $$
begin
  insert into usage_days as u (organization_id, day, kind, amount)
    select new.organization_id, (x.at at time zone 'UTC')::date, 'sponsored_micro', sum(x.micro)
    from (values (old.confirmed_at, -old.settled_micro), (new.confirmed_at, new.settled_micro)) x(at, micro)
    where x.micro <> 0 group by 2 order by 2
    on conflict (organization_id, day, kind) do update set amount = u.amount + excluded.amount;
  return null;
end $$;

create or replace trigger count_sponsorship after update on user_operations for each row
  when (old.settled_micro is distinct from new.settled_micro)
  execute function count_sponsorship();
