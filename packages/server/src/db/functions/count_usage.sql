-- Counts events as usage. Runs under the locks of the organizations' counter rows, as every insert of events does.
create or replace function count_usage() returns trigger language plpgsql as $$
begin
  insert into usage_days as u (organization_id, day, kind, amount)
    select a.organization_id, (a.at at time zone 'UTC')::date, k.kind, count(*)
    from added a cross join lateral (select usage_kind(a.type, a.success, a.payload) as kind offset 0) k
    where k.kind is not null
    group by 1, 2, 3
    on conflict (organization_id, day, kind) do update set amount = u.amount + excluded.amount;
  return null;
end $$;

create or replace trigger count_usage after insert on audit_events referencing new table as added for each statement
  execute function count_usage();
