-- Moves the count of a wallet's block by `change`.
create or replace function count_wallet(organization uuid, seq bigint, curve text, status text, change integer) returns void language sql as $$
  insert into wallet_blocks as b (organization_id, block, secp256k1_active, secp256k1_archived, ed25519_active, ed25519_archived)
  values (organization, seq / 2048,
    case when curve = 'secp256k1' and status = 'active' then change else 0 end,
    case when curve = 'secp256k1' and status = 'archived' then change else 0 end,
    case when curve = 'ed25519' and status = 'active' then change else 0 end,
    case when curve = 'ed25519' and status = 'archived' then change else 0 end)
  on conflict (organization_id, block) do update set
    secp256k1_active = b.secp256k1_active + excluded.secp256k1_active,
    secp256k1_archived = b.secp256k1_archived + excluded.secp256k1_archived,
    ed25519_active = b.ed25519_active + excluded.ed25519_active,
    ed25519_archived = b.ed25519_archived + excluded.ed25519_archived
$$;
