-- phase: expand
-- What one person can do to others with companies of their own: companies are free, so limits per organization bound nobody who has many.

alter table portal_users
  -- When the person made companies in the last day: 50 at most.
  add column companies_made_at timestamptz[] not null default '{}';

alter table identities
  -- When somebody first logged in with a code mailed to the address; null for who was only named, which a backend does without asking.
  -- Those from before this column count as logged in.
  add column logged_in_at timestamptz default '-infinity';
alter table identities alter column logged_in_at drop default;

-- Codes of the last day that went to a mailbox from organizations that it had not logged in to, over all of them: 20 at most.
create table login_newcomers (
  mailbox text primary key,
  issued_at timestamptz[] not null default '{}',
  touched_at timestamptz not null
) with (fillfactor = 50);
create index login_newcomers_by_time on login_newcomers (touched_at);
