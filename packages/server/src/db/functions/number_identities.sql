-- Numbers new identities; the counter rows are locked in the order of their keys.
create or replace function number_identities() returns trigger language plpgsql as $$
begin
  insert into identity_counters as c (organization_id, identities)
    select organization_id, count(*) from added group by 1 order by 1
    on conflict (organization_id) do update set identities = c.identities + excluded.identities;
  update identities i set org_seq = s.seq
    from (
      select a.id, c.identities + 1 - row_number() over (partition by a.organization_id order by a.id desc) as seq
      from added a join identity_counters c on c.organization_id = a.organization_id) s
    where s.id = i.id;
  return null;
end $$;

create or replace trigger number_identities after insert on identities referencing new table as added for each statement
  execute function number_identities();
