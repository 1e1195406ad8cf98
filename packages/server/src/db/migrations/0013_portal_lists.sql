-- As before, and only while the organization signs in the wallet's mode: behind the counter row's lock, which a change of the
-- mode takes too, so that none is made by a request that read the mode before.
create or replace function insert_wallet(w wallets) returns setof wallets language plpgsql as $$
declare
  made wallets;
begin
  w.status := 'active';
  w.created_at := date_trunc('milliseconds', app_now());
  w.updated_at := w.created_at;
  select c.wallets + 1 into w.org_seq from organization_counters c where c.organization_id = w.organization_id for update;
  if not exists (select from organizations o where o.id = w.organization_id and o.signing_mode = w.signing_mode) then return; end if;
  insert into wallets select w.* on conflict (organization_id, user_identity_id, curve) do nothing returning * into made;
  if made.id is null then return; end if;
  update organization_counters set wallets = made.org_seq where organization_id = made.organization_id;
  insert into wallet_addresses (organization_id, address, wallet_id)
    select distinct made.organization_id, a.value, made.id from jsonb_each_text(made.addresses) a;
  perform count_wallet(made.organization_id, made.org_seq, made.curve, made.status, 1);
  return next made;
end $$;

-- What happened per organization, day (UTC) and kind: counted with the events, read without looking at any of them. Kinds are
-- `wallets_created`, `signatures.<network>`, `share_releases`, `refusals`, `errors`, and `sponsored_micro` (micro-EUR).
create table usage_days (
  organization_id uuid not null references organizations,
  day date not null,
  kind text not null,
  amount bigint not null,
  primary key (organization_id, day, kind)
) with (fillfactor = 50);

-- Which kind an event counts as, null for none; types by their index in the contract's list.
create function usage_kind(type smallint, success boolean, payload jsonb) returns text language sql immutable parallel safe as $$
  select case
    when type in (0, 18) and success then 'wallets_created'
    when type = 15 and success then 'signatures.' || (payload ->> 'network')
    when type = 16 then 'refusals'
    when not success then 'errors'
    when type = 19 and coalesce(payload ->> 'purpose', 'sign') = 'sign' then 'share_releases'
  end
$$;

-- Runs under the locks of the organizations' counter rows, as every insert of events does.
create function count_usage() returns trigger language plpgsql as $$
begin
  insert into usage_days as u (organization_id, day, kind, amount)
    select a.organization_id, (a.at at time zone 'UTC')::date, k.kind, count(*)
    from added a cross join lateral (select usage_kind(a.type, a.success, a.payload) as kind offset 0) k
    where k.kind is not null
    group by 1, 2, 3
    on conflict (organization_id, day, kind) do update set amount = u.amount + excluded.amount;
  return null;
end $$;
create trigger count_usage after insert on audit_events referencing new table as added for each statement
  execute function count_usage();

-- What sponsored operations have cost, on the day they were first seen to have landed; taken back when the chain drops them.
create function count_sponsorship() returns trigger language plpgsql as $$
begin
  insert into usage_days as u (organization_id, day, kind, amount)
    select new.organization_id, (x.at at time zone 'UTC')::date, 'sponsored_micro', sum(x.micro)
    from (values (old.confirmed_at, -old.settled_micro), (new.confirmed_at, new.settled_micro)) x(at, micro)
    where x.micro <> 0 group by 2 order by 2
    on conflict (organization_id, day, kind) do update set amount = u.amount + excluded.amount;
  return null;
end $$;
create trigger count_sponsorship after update on user_operations for each row
  when (old.settled_micro is distinct from new.settled_micro)
  execute function count_sponsorship();

insert into usage_days (organization_id, day, kind, amount)
  select e.organization_id, (e.at at time zone 'UTC')::date, k.kind, count(*)
  from audit_events e cross join lateral (select usage_kind(e.type, e.success, e.payload) as kind offset 0) k
  where k.kind is not null group by 1, 2, 3
  union all
  select o.organization_id, (o.confirmed_at at time zone 'UTC')::date, 'sponsored_micro', sum(o.settled_micro)
  from user_operations o where o.settled_micro > 0 group by 1, 2;

-- End users by a dense sequence per organization: the list's position, and its total. Nobody is ever removed.
create table identity_counters (
  organization_id uuid primary key references organizations,
  identities bigint not null
) with (fillfactor = 50);
alter table identities add column org_seq bigint;
update identities i set org_seq = s.seq
  from (select id, row_number() over (partition by organization_id order by created_at, id) as seq from identities) s
  where s.id = i.id;
insert into identity_counters select organization_id, count(*) from identities group by 1;
create unique index identities_by_seq on identities (organization_id, org_seq);

-- Numbers new identities; the counter rows are locked in the order of their keys.
create function number_identities() returns trigger language plpgsql as $$
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
create trigger number_identities after insert on identities referencing new table as added for each statement
  execute function number_identities();

-- How the latest calls of an organization's webhook went; never what they carried.
create table webhook_deliveries (
  organization_id uuid not null references organizations,
  id uuid not null,
  message_id uuid not null,
  type text not null,
  at timestamptz not null default app_now(),
  status integer,
  error text,
  duration_ms integer not null,
  primary key (organization_id, id)
);
