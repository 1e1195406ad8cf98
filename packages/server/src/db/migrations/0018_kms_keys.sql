-- phase: expand
-- The key-encryption keys of the API side: under which key id each purpose seals. A KMS that names another one, or has it not, does not
-- serve this installation, and makes nothing.

create table kms_keys (
  purpose text primary key check (purpose in ('provider', 'recovery', 'tee-b', 'webhook', 'pii')),
  key_id text not null check (key_id ~ '^[\x21-\x7e]{1,255}$'),
  first_used_at timestamptz not null default app_now()
);

-- An envelope begins with format, algorithm, purpose and the length of the key id that follows. The newest row names the key in use.
create function pg_temp.key_id(envelope bytea) returns text language sql immutable as $$
  select convert_from(substr(envelope, 5, get_byte(envelope, 3)), 'UTF8')
$$;

insert into kms_keys (purpose, key_id)
(select 'tee-b', pg_temp.key_id(share_b) from wallets
  where substr(share_b, 1, 1) = '\x01' order by id desc limit 1)
union all
(select 'provider', pg_temp.key_id(provider_envelope) from wallet_shares
  where substr(provider_envelope, 1, 1) = '\x01' order by wallet_id desc limit 1)
union all
(select 'recovery', pg_temp.key_id(envelope) from recovery_shares
  where substr(envelope, 1, 1) = '\x01' order by stored_at desc limit 1)
union all
(select 'webhook', pg_temp.key_id(sealed_secret) from (
  (select created_at, sealed_secret from webhooks order by created_at desc limit 1)
  union all
  (select created_at, sealed_secret from agent_hooks order by created_at desc limit 1)
  ) sealed where substr(sealed_secret, 1, 1) = '\x01' order by created_at desc limit 1);

drop function pg_temp.key_id(bytea);
