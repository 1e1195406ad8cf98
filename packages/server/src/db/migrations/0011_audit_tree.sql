-- Roots over 256^height events each, from the first on without holes: with them any proof costs a few short reads. They
-- follow from the events, which never change, so whoever computes one computes the same.
create table audit_subtrees (
  organization_id uuid not null references organizations,
  height smallint not null check (height between 1 and 6),
  position bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (organization_id, height, position)
);

-- What the platform has vouched for: one root and one moment per size, so that no two parties are told different ones.
create table audit_checkpoints (
  organization_id uuid not null references organizations,
  tree_size bigint not null,
  root_hash bytea not null check (octet_length(root_hash) = 32),
  issued_at timestamptz not null,
  primary key (organization_id, tree_size)
);

-- What the list's filters by wallet and by actor look in.
create index audit_events_by_wallet on audit_events (organization_id, wallet_id, n) where wallet_id is not null;
create index audit_events_by_actor on audit_events (organization_id, actor_id, n);

-- How many of an organization's events of a type and outcome (null: any) are older than a moment, `total` being all of them.
-- Events are written in the order of their time, so their ranks can be searched by halves: some 24 look-ups for ten million.
create function audit_rank_before(organization uuid, of_type smallint, outcome boolean, total bigint, moment timestamptz)
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
