-- Tokens of identity providers that were accepted before, so that a login is one event however many processes see its token.
create table accepted_tokens (
  organization_id uuid not null references organizations,
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (organization_id, token_hash)
);
create index accepted_tokens_expiry on accepted_tokens (expires_at);
