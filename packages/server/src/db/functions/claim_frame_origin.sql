-- The origin of the wallet frame: the wanted one while no client-mode wallet exists, otherwise the one that has their device shares. Before
-- it was recorded, that was the former one.
create or replace function claim_frame_origin(wanted text, former text) returns text
language sql as $$
  with kept as (
    select exists (
      select from organizations o
      where o.signing_mode = 'client' and exists (select from wallets w where w.organization_id = o.id)
    ) as has_shares
  )
  insert into frame_origin as f (origin)
  select case when has_shares then former else wanted end from kept
  on conflict (singleton) do update
    set origin = case when (select has_shares from kept) then f.origin else claim_frame_origin.wanted end
  returning f.origin
$$;
