-- phase: expand
-- A limit for the sponsored gas of an organization as a whole: whoever has a domain has any number of users, each with a wallet's budget.

alter table organizations
  -- EUR per calendar month (UTC), which only an operator of the installation sets.
  add column sponsored_gas_eur_per_month integer not null default 1000 check (sponsored_gas_eur_per_month between 0 and 10000000);

-- The sums of `sponsor_months` over the wallets of an organization: the trigger `count_organization_gas` moves them with those.
create table organization_gas_months (
  organization_id uuid not null references organizations,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  reserved_micro bigint not null default 0 check (reserved_micro >= 0),
  settled_micro bigint not null default 0 check (settled_micro >= 0),
  primary key (organization_id, month)
) with (fillfactor = 50);

-- Until the trigger is there, with the end of this transaction.
lock table sponsor_months in share row exclusive mode;
insert into organization_gas_months (organization_id, month, reserved_micro, settled_micro)
select w.organization_id, m.month, sum(m.reserved_micro), sum(m.settled_micro)
from sponsor_months m join wallets w on w.id = m.wallet_id
group by w.organization_id, m.month;
