-- phase: migrate
-- What sessions have spent of issued assets of Stellar (`CODE:ISSUER`) is kept under the contract that stands for the asset (CAP-46-6), by
-- which policies compare it since this version. What the older build counts while both serve stays under the old name.

create function pg_temp.stellar_contract(asset text, passphrase text) returns text language plpgsql as $$
declare
  alphabet constant text := 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  code constant bytea := convert_to(split_part(asset, ':', 1), 'UTF8');
  issuer constant text := split_part(asset, ':', 2);
  width constant integer := case when length(code) <= 4 then 4 else 12 end;
  bits text := ''; key bytea := ''; strkey bytea; crc integer := 0; contract text := '';
begin
  for i in 1 .. 56 loop bits := bits || (strpos(alphabet, substr(issuer, i, 1)) - 1)::bit(5)::text; end loop;
  for i in 1 .. 32 loop key := key || decode(lpad(to_hex(substr(bits, i * 8 + 1, 8)::bit(8)::integer), 2, '0'), 'hex'); end loop;
  strkey := '\x10'::bytea || sha256(
    '\x00000008'::bytea || sha256(convert_to(passphrase, 'UTF8'))
    || '\x00000001'::bytea || decode(case when width = 4 then '00000001' else '00000002' end, 'hex')
    || code || decode(repeat('00', width - length(code)), 'hex') || '\x00000000'::bytea || key);
  for i in 0 .. 32 loop
    crc := crc # (get_byte(strkey, i) << 8);
    for bit in 1 .. 8 loop
      crc := ((crc << 1) # case when crc & 32768 > 0 then 4129 else 0 end) & 65535;
    end loop;
  end loop;
  strkey := strkey || decode(lpad(to_hex(crc & 255), 2, '0') || lpad(to_hex(crc >> 8), 2, '0'), 'hex');
  bits := '';
  for i in 0 .. 34 loop bits := bits || get_byte(strkey, i)::bit(8)::text; end loop;
  for i in 0 .. 55 loop contract := contract || substr(alphabet, substr(bits, i * 5 + 1, 5)::bit(5)::integer + 1, 1); end loop;
  return contract;
end $$;

create function pg_temp.counter_now(counter text) returns text language sql as $$
  select case
    when counter ~ '^token stellar [A-Za-z0-9]{1,12}:G[A-Z2-7]{55}$' then 'token stellar '
      || pg_temp.stellar_contract(split_part(counter, ' ', 3), 'Public Global Stellar Network ; September 2015')
    when counter ~ '^token stellar-testnet [A-Za-z0-9]{1,12}:G[A-Z2-7]{55}$' then 'token stellar-testnet '
      || pg_temp.stellar_contract(split_part(counter, ' ', 3), 'Test SDF Network ; September 2015')
    else counter end
$$;

with moved as (
  delete from agent_counters c where c.counter ~ '^token stellar(-testnet)? [A-Za-z0-9]{1,12}:G[A-Z2-7]{55}$' returning c.*)
insert into agent_counters as c (session_id, counter, spent, reserved, cap)
  select m.session_id, pg_temp.counter_now(m.counter), m.spent, m.reserved, m.cap from moved m
  on conflict (session_id, counter) do update set
    spent = c.spent + excluded.spent, reserved = c.reserved + excluded.reserved,
    cap = case when c.cap is null or excluded.cap is null then null
      else greatest(c.cap, excluded.cap, c.spent + excluded.spent + c.reserved + excluded.reserved) end;

update agent_reservations r
  set counters = array(select pg_temp.counter_now(x.name) from unnest(r.counters) with ordinality x(name, place) order by x.place)
  where exists (select from unnest(r.counters) x(name) where x.name ~ '^token stellar(-testnet)? [A-Za-z0-9]{1,12}:G');

drop function pg_temp.counter_now(text);
drop function pg_temp.stellar_contract(text, text);
