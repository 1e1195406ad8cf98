-- Compares a guess with the living codes that it may open: that of its own nonce, and that asked without one. Every such code spends one of
-- its five attempts first. `hashes` are of the guess under the salts of the codes `codes`; a code that was replaced since is not opened.
-- A right guess uses its code up, makes or finds the identity, and gives the place of the start back to the client address that asked. A
-- wrong one is counted for the client address, the mailbox and the organization. `must_notice`: the mailbox gets its notice of the day;
-- `must_alarm`: the owners get theirs.
create or replace function guess_login_code(organization uuid, address inet, email_address text, mailbox_address text, nonce bytea,
  codes uuid[], hashes bytea[], new_identity uuid)
returns table (outcome text, retry_at timestamptz, guessed_at timestamptz, identity_id uuid, must_notice boolean, must_alarm boolean)
language plpgsql as $$
declare
  moment timestamptz := app_now();
  day_ago timestamptz := moment - interval '1 day';
  place inet := login_client(address);
  is_trusted boolean := is_trusted_client(organization, address);
  counted login_clients;
  box login_mailboxes;
  candidate login_codes;
  opened login_codes;
  is_live boolean := false;
  failures bigint;
  starts_of_day bigint;
begin
  outcome := 'wrong';
  guessed_at := moment;
  must_notice := false;
  must_alarm := false;
  select * into box from login_mailboxes b where b.organization_id = organization and b.mailbox = mailbox_address for update;
  if not is_trusted then
    insert into login_clients (client, touched_at) values (place, moment) on conflict do nothing;
  end if;
  -- The addresses that asked for the codes get their places back: locked now, in one order.
  perform from login_clients c
    where c.client = place or c.client in (
      select l.client from login_codes l where l.organization_id = organization and l.email = email_address and l.nonce_hash in ('', nonce))
    order by c.client for update;
  if not is_trusted then
    select * into counted from login_clients c where c.client = place;
    retry_at := wait_of_times(counted.failed_at, 30, interval '15 minutes');
    if retry_at > moment then
      outcome := 'limited';
      return next;
      return;
    end if;
    retry_at := null;
  end if;

  for candidate in
    update login_codes l set attempts = l.attempts + 1
      where l.organization_id = organization and l.email = email_address and l.nonce_hash in ('', nonce)
        and l.attempts < 5 and l.consumed_at is null and l.expires_at > moment
      returning l.*
  loop
    is_live := true;
    if opened.code_id is null and candidate.code_hash = hashes[array_position(codes, candidate.code_id)] then
      opened := candidate;
    end if;
  end loop;

  if opened.code_id is not null then
    outcome := 'right';
    update login_codes l set consumed_at = moment
      where l.organization_id = organization and l.email = email_address and l.nonce_hash = opened.nonce_hash;
    update login_clients c set
      started_at = array(
        select s.at from unnest(c.started_at, c.started_codes) with ordinality as s(at, code_id, i) where s.code_id <> opened.code_id order by s.i),
      started_codes = array_remove(c.started_codes, opened.code_id)
      where c.client = opened.client and opened.code_id = any(c.started_codes);
    insert into identities (id, organization_id, auth_provider, issuer, provider_user_id, email, logged_in_at)
      values (new_identity, organization, 'service', '', email_address, email_address, moment)
      on conflict (organization_id, auth_provider, issuer, provider_user_id) do update set email = excluded.email,
        logged_in_at = coalesce(identities.logged_in_at, excluded.logged_in_at)
      returning id into identity_id;
    insert into login_addresses as l (organization_id, client, logged_in_at, touched_at) values (organization, place, moment, moment)
      on conflict (organization_id, client) do update set logged_in_at = moment, touched_at = moment
        where l.logged_in_at is null or l.logged_in_at < moment - interval '1 hour';
    return next;
    return;
  end if;

  select i.id into identity_id from identities i
    where i.organization_id = organization and i.auth_provider = 'service' and i.issuer = '' and i.provider_user_id = email_address;
  if not is_trusted then
    update login_clients c set
      failed_at = array(select t from unnest(c.failed_at) t where t > moment - interval '15 minutes' order by t) || moment, touched_at = moment
      where c.client = place;
  end if;
  if box.mailbox is not null then
    -- The last ten of the day are enough to know that there were ten.
    update login_mailboxes b set
      failed_at = (array(select t from unnest(b.failed_at) t where t > day_ago order by t desc limit 9))
        || moment,
      touched_at = moment
      where b.organization_id = organization and b.mailbox = mailbox_address
      returning cardinality(b.failed_at) >= 10 and (b.noticed_at is null or b.noticed_at <= day_ago) into must_notice;
    if must_notice then
      update login_mailboxes b set noticed_at = moment where b.organization_id = organization and b.mailbox = mailbox_address;
    end if;
  end if;
  if is_live then
    insert into login_hours as h (organization_id, hour, slot, failures)
      values (organization, date_trunc('hour', moment), get_byte(uuid_send(new_identity), 15) % 16, 1)
      on conflict (organization_id, hour, slot) do update set failures = h.failures + 1;
    select sum(h.failures), sum(h.starts) into failures, starts_of_day from login_hours h
      where h.organization_id = organization and h.hour > day_ago;
    if failures > greatest(200, 0.05 * starts_of_day) then
      insert into login_alarms as l (organization_id, slow_until, mailed_at) values (organization, moment + interval '1 day', moment)
        on conflict (organization_id) do update set slow_until = excluded.slow_until,
          mailed_at = case when l.mailed_at <= day_ago then moment else l.mailed_at end
        returning l.mailed_at = moment into must_alarm;
    end if;
  end if;
  return next;
end $$;
