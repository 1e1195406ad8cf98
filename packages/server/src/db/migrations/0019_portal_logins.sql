-- phase: expand
-- Who has been in the portal: anybody can be named as an owner, and owners get emails.

alter table portal_users
  -- Null for somebody who was named and has never come; a login at the identity provider also leaves issuer and subject.
  add column first_login_at timestamptz;
update portal_users u set first_login_at = u.created_at
where exists (select from portal_sessions s where s.user_id = u.id);
