import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Sql } from 'postgres'

/** The identity provider's signing key, made once per database and shared by all processes. */
export async function providerKey(sql: Sql): Promise<JWK> {
  await sql`create table if not exists dev_identity_key (only boolean primary key default true check (only), jwk jsonb not null)`
  const known = await sql<{ jwk: JWK }[]>`select jwk from dev_identity_key`
  if (known[0] !== undefined) return known[0].jwk
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'dev' }
  await sql`insert into dev_identity_key (jwk) values (${sql.json(jwk as never)}) on conflict do nothing`
  const [row] = await sql<{ jwk: JWK }[]>`select jwk from dev_identity_key`
  return row?.jwk ?? jwk
}
