-- phase: expand
-- Emails to owners: only about companies that they have opened, and so many a day.

alter table organization_members
  -- The first request of the portal for this company that the member made; null for somebody who was named and has not opened it.
  add column entered_at timestamptz;
-- Which companies they have opened is not known of earlier members: whoever has been in the portal keeps getting the emails.
update organization_members m set entered_at = app_now()
from portal_users u where u.id = m.user_id and (u.issuer is not null or u.first_login_at is not null);

-- The emails of the last 24 hours to an owner about a company. Stays when the membership ends, so that a new one does not begin at zero.
create table owner_notices (
  organization_id uuid not null references organizations,
  user_id uuid not null references portal_users,
  sent_at timestamptz[] not null,
  primary key (organization_id, user_id)
) with (fillfactor = 50);
