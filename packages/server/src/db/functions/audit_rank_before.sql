-- How many of an organization's events of a type and outcome (null: any) are older than a moment, `total` being all of them.
-- Events are written in the order of their time, so their ranks can be searched by halves: about 24 lookups for ten million.
create or replace function audit_rank_before(organization uuid, of_type smallint, outcome boolean, total bigint, moment timestamptz)
returns bigint language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint := total;
  middle bigint;
  found_at timestamptz;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if of_type is null and outcome is null then
      select e.at into found_at from audit_events e where e.organization_id = organization and e.n = middle;
    elsif of_type is null then
      select e.at into found_at from audit_events e
        where e.organization_id = organization and e.success = outcome and e.n_success = middle;
    elsif outcome is null then
      select e.at into found_at from audit_events e
        where e.organization_id = organization and e.type = of_type and e.n_type = middle;
    else
      select e.at into found_at from audit_events e
        where e.organization_id = organization and e.type = of_type and e.success = outcome and e.n_type_success = middle;
    end if;
    if found_at < moment then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $$;
