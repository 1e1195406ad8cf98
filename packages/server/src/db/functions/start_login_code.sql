-- Stores the newest code of an address for a device and queues its mail, unless a limit refuses it; `refused_by` is then its name, and
-- `retry_at` when it ends. Refused starts count nowhere.
-- A mailbox gets 20 codes a day at most from all organizations together that the address has never logged in to: whoever makes many
-- organizations floods nobody, and where a user has logged in, nobody else's organizations keep them out.
-- Rows are locked in the order newcomer, mailbox, clients, codes, hours, here and in guess_login_code, which locks no newcomer.
create or replace function start_login_code(organization uuid, address inet, email_address text, mailbox_address text, nonce bytea,
  code uuid, code_salt bytea, hash bytea, mail uuid, sealed_mail bytea)
returns table (refused_by text, retry_at timestamptz, asked_at timestamptz, remaining integer) language plpgsql as $$
declare
  moment timestamptz := app_now();
  day_ago timestamptz := moment - interval '1 day';
  place inet := login_client(address);
  is_trusted boolean := is_trusted_client(organization, address);
  is_own boolean;
  is_newcomer boolean;
  newcomer_times timestamptz[];
  counted login_clients;
  box login_mailboxes;
  times timestamptz[];
  n integer;
begin
  asked_at := moment;
  remaining := 0;
  -- Asked before anything is written, so that a flood of refused starts leaves no rows; asked again behind the lock.
  if not is_trusted then
    select * into counted from login_clients c where c.client = place;
    retry_at := greatest(wait_of_times(counted.started_at, 20, interval '15 minutes'), wait_of_times(counted.started_at, 100, interval '1 day'));
    if retry_at > moment then
      refused_by := 'client';
      return next;
      return;
    end if;
  end if;

  -- Counted for known addresses too, with no effect: the time of an answer does not tell who is known.
  insert into login_newcomers (mailbox, touched_at) values (mailbox_address, moment) on conflict do nothing;
  select c.issued_at into newcomer_times from login_newcomers c where c.mailbox = mailbox_address for update;
  newcomer_times := array(select t from unnest(newcomer_times) t where t > day_ago order by t);
  is_newcomer := not exists (
    select from identities i where i.organization_id = organization and i.auth_provider = 'service' and i.issuer = ''
      and i.provider_user_id = email_address and i.logged_in_at is not null);
  retry_at := wait_of_times(newcomer_times, 20, interval '1 day');
  if is_newcomer and retry_at > moment then
    refused_by := 'mailbox';
    return next;
    return;
  end if;

  insert into login_mailboxes (organization_id, mailbox, touched_at) values (organization, mailbox_address, moment)
    on conflict do nothing;
  select * into box from login_mailboxes b where b.organization_id = organization and b.mailbox = mailbox_address for update;
  is_own := nonce <> '' and exists (
    select from identities i join devices d on d.organization_id = organization and d.user_identity_id = i.id and d.nonce_hash = nonce
    where i.organization_id = organization and i.auth_provider = 'service' and i.issuer = '' and i.provider_user_id = email_address
      and d.forgotten_at is null and d.last_login_at > moment - interval '90 days');
  times := array(
    select t from unnest(case when is_own then box.own_issued_at else box.issued_at end) t where t > day_ago order by t);
  n := cardinality(times);
  if n >= 5 then
    retry_at := greatest(
      times[n] + least(15 * 2 ^ (n - 5), 240) * interval '1 minute',
      wait_of_times(times, 5, interval '15 minutes'),
      wait_of_times(times, 10, interval '1 day'));
    if retry_at > moment then
      refused_by := 'mailbox';
      return next;
      return;
    end if;
  end if;

  if not is_trusted then
    insert into login_clients (client, touched_at) values (place, moment) on conflict do nothing;
    select * into counted from login_clients c where c.client = place for update;
    retry_at := greatest(wait_of_times(counted.started_at, 20, interval '15 minutes'), wait_of_times(counted.started_at, 100, interval '1 day'));
    if retry_at > moment then
      refused_by := 'client';
      return next;
      return;
    end if;
    -- While codes of the organization are being guessed, addresses that nobody has logged in from are served one a minute each.
    if exists (select from login_alarms l where l.organization_id = organization and l.slow_until > moment)
      and not exists (
        select from login_addresses l
        where l.organization_id = organization and l.client = place and l.logged_in_at > moment - interval '30 days')
    then
      select l.started_at + interval '1 minute' into retry_at from login_addresses l
        where l.organization_id = organization and l.client = place;
      if retry_at > moment then
        refused_by := 'alarm';
        return next;
        return;
      end if;
      insert into login_addresses as l (organization_id, client, started_at, touched_at) values (organization, place, moment, moment)
        on conflict (organization_id, client) do update set started_at = moment, touched_at = moment;
    end if;
    update login_clients c set
      started_at = array(select s.at from unnest(c.started_at) with ordinality as s(at, i) where s.at > day_ago order by s.i) || moment,
      started_codes = array(
        select s.code_id from unnest(c.started_at, c.started_codes) with ordinality as s(at, code_id, i) where s.at > day_ago order by s.i) || code,
      touched_at = moment
      where c.client = place;
  end if;

  update login_newcomers c set issued_at = case when is_newcomer then newcomer_times || moment else newcomer_times end, touched_at = moment
    where c.mailbox = mailbox_address;
  times := times || moment;
  update login_mailboxes b set
    issued_at = case when is_own then b.issued_at else times end,
    own_issued_at = case when is_own then times else b.own_issued_at end,
    touched_at = moment
    where b.organization_id = organization and b.mailbox = mailbox_address;
  insert into login_codes as c (organization_id, email, nonce_hash, code_id, salt, code_hash, client, expires_at)
    values (organization, email_address, nonce, code, code_salt, hash, case when not is_trusted then place end, moment + interval '10 minutes')
    on conflict (organization_id, email, nonce_hash) do update set
      code_id = excluded.code_id, salt = excluded.salt, code_hash = excluded.code_hash, attempts = 0, client = excluded.client,
      expires_at = excluded.expires_at, consumed_at = null;
  insert into outbox (id, kind, organization_id, sealed_payload, next_attempt_at, expires_at)
    values (mail, 'mail', organization, sealed_mail, moment, moment + interval '10 minutes');
  insert into login_hours as h (organization_id, hour, slot, starts)
    values (organization, date_trunc('hour', moment), get_byte(uuid_send(code), 15) % 16, 1)
    on conflict (organization_id, hour, slot) do update set starts = h.starts + 1;
  retry_at := null;
  remaining := greatest(0, 5 - cardinality(times));
  return next;
end $$;
