-- Claims a built operation for its one submission, until the lease ends or the process `holder` is dead, under the lock that archiving
-- and logging out take. Returns `claimed`, or why not:
-- `not_found`, `wallet_archived`, `token_revoked`, `token_expired`, `expired`, `taken` (submitted before).
-- `chain_now` is the chain's clock, `is_deployed` whether the account has code there. Of two operations that both deploy an
-- account the later one is `expired`, and its reservation ends.
-- Locks counters, operation, account and month in this order, as everything else here does.
create or replace function submit_user_operation(
  organization uuid, identity uuid, operation_hash text, owner_signature text, attempt uuid, lease interval,
  chain_now bigint, is_deployed boolean, token_name bytea, token_expires_at timestamptz,
  holder uuid default null
) returns text language plpgsql as $$
declare
  o user_operations;
  at_now timestamptz;
begin
  perform 1 from organization_counters c where c.organization_id = organization for update;
  at_now := date_trunc('milliseconds', app_now());
  if exists (select from revoked_tokens r where r.organization_id = organization and r.token_hash = token_name) then
    return 'token_revoked';
  end if;
  if token_expires_at <= at_now then return 'token_expired'; end if;

  select * into o from user_operations u
    where u.hash = operation_hash and u.organization_id = organization and u.user_identity_id = identity for update;
  if o.id is null then return 'not_found'; end if;
  if not exists (select from wallets w where w.id = o.wallet_id and w.status = 'active') then return 'wallet_archived'; end if;
  if o.submitted_at is not null then return 'taken'; end if;
  if o.state <> 'built' then return 'expired'; end if;

  if o.deploys then
    perform 1 from smart_accounts a where a.id = o.smart_account_id for no key update;
    is_deployed := is_deployed or exists (select from smart_accounts a where a.id = o.smart_account_id and a.deployed)
      or exists (select from user_operations u
        where u.smart_account_id = o.smart_account_id and u.deploys and u.state in ('sending', 'sent'));
  end if;
  if o.expires_at <= at_now or o.chain_expires_at < chain_now or (o.deploys and is_deployed) then
    update user_operations u set state = 'expired' where u.id = o.id;
    return 'expired';
  end if;

  update user_operations u set
    state = 'sending', signature = owner_signature, submitted_at = at_now, is_followed = true,
    attempt_id = attempt, sends = 1, next_send_at = at_now + lease, held_by = holder
    where u.id = o.id;
  return 'claimed';
end $$;
