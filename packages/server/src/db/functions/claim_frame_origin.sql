-- The origin of the wallet frame: the wanted one while no client-mode wallet exists, otherwise the one that has their device shares. Before
-- it was recorded, that was the former one. Waits for the client-mode wallets that are being made, and they for it (hold_frame_origin):
-- each of its statements sees what was committed before it.
create or replace function claim_frame_origin(wanted text, former text) returns text language plpgsql as $$
declare
  has_shares boolean;
  claimed text;
begin
  perform pg_advisory_xact_lock(hashtextextended('frame_origin', 0));
  has_shares := exists (
    select from organizations o
    where o.signing_mode = 'client' and exists (select from wallets w where w.organization_id = o.id)
  );
  insert into frame_origin as f (origin)
  values (case when has_shares then former else wanted end)
  on conflict (singleton) do update set origin = case when has_shares then f.origin else wanted end
  returning f.origin into claimed;
  return claimed;
end $$;
