-- phase: migrate
-- What sessions have spent of Aptos coins is kept under the fungible asset that the framework pairs with each (`coin.move`), by which
-- policies compare them since this version. What the older build counts while both serve stays under the old name.

create function pg_temp.turned(lane bigint, places integer) returns bigint language sql as $$
  select case when places = 0 then lane else (lane << places) | ((lane >> (64 - places)) & ((1::bigint << places) - 1)) end
$$;

-- SHA3-256 (FIPS 202).
create function pg_temp.sha3(message bytea) returns bytea language plpgsql as $$
declare
  rate constant integer := 136;
  padded bytea := message || decode(repeat('00', rate - length(message) % rate), 'hex');
  s bigint[] := array_fill(0::bigint, array[25], array[0]);
  c bigint[]; lane bigint; moved bigint; x integer; y integer; next_x integer; lfsr integer;
  digest bytea := '';
begin
  padded := set_byte(padded, length(message), 6);
  padded := set_byte(padded, length(padded) - 1, get_byte(padded, length(padded) - 1) | 128);
  for block in 0 .. length(padded) / rate - 1 loop
    for i in 0 .. rate / 8 - 1 loop
      lane := 0;
      for byte in reverse 7 .. 0 loop lane := (lane << 8) | get_byte(padded, block * rate + i * 8 + byte); end loop;
      s[i] := s[i] # lane;
    end loop;
    lfsr := 1;
    for round in 1 .. 24 loop
      c := array_fill(0::bigint, array[5], array[0]);
      for i in 0 .. 24 loop c[i % 5] := c[i % 5] # s[i]; end loop;
      for i in 0 .. 24 loop s[i] := s[i] # c[(i + 4) % 5] # pg_temp.turned(c[(i + 1) % 5], 1); end loop;
      x := 1; y := 0; lane := s[1];
      for t in 0 .. 23 loop
        next_x := y; y := (2 * x + 3 * y) % 5; x := next_x;
        moved := s[x + 5 * y];
        s[x + 5 * y] := pg_temp.turned(lane, (t + 1) * (t + 2) / 2 % 64);
        lane := moved;
      end loop;
      for row in 0 .. 4 loop
        for i in 0 .. 4 loop c[i] := s[5 * row + i]; end loop;
        for i in 0 .. 4 loop s[5 * row + i] := c[i] # (~c[(i + 1) % 5] & c[(i + 2) % 5]); end loop;
      end loop;
      for bit in 0 .. 6 loop
        lfsr := ((lfsr << 1) # ((lfsr >> 7) * 113)) & 255;
        if lfsr & 2 > 0 then s[0] := s[0] # (1::bigint << ((1 << bit) - 1)); end if;
      end loop;
    end loop;
  end loop;
  for i in 0 .. 3 loop
    for byte in 0 .. 7 loop digest := digest || decode(lpad(to_hex((s[i] >> (8 * byte)) & 255), 2, '0'), 'hex'); end loop;
  end loop;
  return digest;
end $$;

create function pg_temp.counter_now(counter text) returns text language sql as $$
  select case
    when counter !~ '^token aptos(-testnet)? 0x[0-9a-f]+::' then counter
    else substring(counter from '^token [^ ]+ ') || '0x' || ltrim(encode(pg_temp.sha3(
      decode(lpad('a', 64, '0'), 'hex')
      || convert_to(regexp_replace(substring(counter from '^token [^ ]+ (.*)$'), '(^|[<, ])0x0*([0-9a-f]+)::', '\10x\2::', 'g'), 'UTF8')
      || '\xfe'::bytea), 'hex'), '0') end
$$;

with moved as (
  delete from agent_counters c where c.counter ~ '^token aptos(-testnet)? 0x[0-9a-f]+::' returning c.*)
insert into agent_counters as c (session_id, counter, spent, reserved, cap)
  select m.session_id, pg_temp.counter_now(m.counter), m.spent, m.reserved, m.cap from moved m
  on conflict (session_id, counter) do update set
    spent = c.spent + excluded.spent, reserved = c.reserved + excluded.reserved,
    cap = case when c.cap is null or excluded.cap is null then null
      else greatest(c.cap, excluded.cap, c.spent + excluded.spent + c.reserved + excluded.reserved) end;

update agent_reservations r
  set counters = array(select pg_temp.counter_now(x.name) from unnest(r.counters) with ordinality x(name, place) order by x.place)
  where exists (select from unnest(r.counters) x(name) where x.name ~ '^token aptos(-testnet)? 0x[0-9a-f]+::');

drop function pg_temp.counter_now(text);
drop function pg_temp.sha3(bytea);
drop function pg_temp.turned(bigint, integer);
