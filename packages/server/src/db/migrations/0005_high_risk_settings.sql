-- phase: expand
-- What an organization asks of those who take keys out.

alter table organizations
  -- How long recoveries and exports from a new device wait after the right code. Production sets it for new organizations.
  add column high_risk_delay_seconds integer not null default 0 check (high_risk_delay_seconds between 0 and 259200),
  -- Whether users may export the private keys of their wallets.
  add column export_enabled boolean not null default true;
