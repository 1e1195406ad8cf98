import type { Sql } from '@symbolon/server/pool'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

/** The identity provider's signing key, made once per database and shared by all processes. */
export async function providerKey(sql: Sql): Promise<JWK> {
  const known = await storedKey(sql)
  if (known !== undefined) return known
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'dev' }
  await sql`insert into dev.identity_key (jwk) values (${sql.json(jwk as never)}) on conflict do nothing`
  // Of two processes at once the first one's is everybody's.
  return (await storedKey(sql)) ?? jwk
}

async function storedKey(sql: Sql): Promise<JWK | undefined> {
  const rows = await sql<{ jwk: JWK }[]>`select jwk from dev.identity_key`
  return rows[0]?.jwk
}
