-- Records a login of a device, which `nonce` names (null: a device of its own), with its token. `is_new`: the user must be mailed about it:
-- it never logged in before, or was forgotten, or could not be mailed about until now.
-- `is_first`: no other device of the user has logged in.
-- A token that was recorded before changes nothing.
create or replace function record_device_login(organization uuid, identity uuid, nonce bytea, fresh_id uuid, is_mailable boolean,
  token bytea, token_ends_at timestamptz)
returns table (device_id uuid, is_new boolean, is_first boolean) language plpgsql as $$
declare
  moment timestamptz := app_now();
  device devices;
begin
  insert into devices (id, organization_id, user_identity_id, nonce_hash, first_login_at, last_login_at)
    values (fresh_id, organization, identity, nonce, moment, moment)
    on conflict (organization_id, user_identity_id, nonce_hash) where nonce_hash is not null do nothing;
  select * into device from devices d
    where d.id = fresh_id
      or (d.organization_id = organization and d.user_identity_id = identity and d.nonce_hash = nonce)
    for update;
  device_id := device.id;
  is_new := false;
  is_first := not exists (
    select from devices d where d.organization_id = organization and d.user_identity_id = identity and d.id <> device.id);
  insert into device_tokens as t values (device.id, token, token_ends_at) on conflict on constraint device_tokens_pkey do nothing;
  if not found then
    return next;
    return;
  end if;
  is_new := is_mailable and (device.mailed_at is null or device.forgotten_at is not null);
  update devices d set
    last_login_at = moment,
    first_login_at = case when device.forgotten_at is null then d.first_login_at else moment end,
    mailed_at = case when is_new then moment when device.forgotten_at is null then d.mailed_at end,
    forgotten_at = null
    where d.id = device.id;
  return next;
end $$;
