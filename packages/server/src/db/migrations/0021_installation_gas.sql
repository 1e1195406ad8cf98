-- phase: expand
-- A limit for the sponsored gas of the installation as a whole: one login to the portal makes any number of organizations, each with its own.

-- What an operator sets for all organizations together.
create table installation_quotas (
  singleton boolean primary key default true check (singleton),
  -- EUR per calendar month (UTC).
  sponsored_gas_eur_per_month integer not null default 10000 check (sponsored_gas_eur_per_month between 0 and 10000000)
);
insert into installation_quotas default values;

-- The sums of `organization_gas_months` over the organizations: the trigger `count_installation_gas` moves them with those.
create table installation_gas_months (
  month text primary key check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  reserved_micro bigint not null default 0 check (reserved_micro >= 0),
  settled_micro bigint not null default 0 check (settled_micro >= 0)
) with (fillfactor = 50);

-- Until the triggers are there, with the end of this transaction; in the order in which operations lock them.
lock table user_operations, sponsor_months, organization_gas_months in share row exclusive mode;
insert into installation_gas_months (month, reserved_micro, settled_micro)
select month, sum(reserved_micro), sum(settled_micro) from organization_gas_months group by month;
