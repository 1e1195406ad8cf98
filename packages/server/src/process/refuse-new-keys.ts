import { existsSync } from 'node:fs'
import { type Config, ConfigError } from '../config.ts'
import { openPool, type Sql } from '../db/pool.ts'

/** The file of a key is gone. It shows on contact with the database alone, unlike what a `ConfigError` names otherwise. */
export class LostKeysError extends ConfigError {}

/**
 * Throws a `LostKeysError` where the file of a key is missing and the database has organizations: a new key could open none of their wallets
 * and recognise none of their API keys. The first start over an empty database makes both files. Throws the database's error when it cannot
 * be asked.
 */
export async function refuseNewKeys({
  databaseUrl,
  kms,
  secretsFile,
}: Pick<Config, 'databaseUrl' | 'kms' | 'secretsFile'>): Promise<void> {
  const files = Object.entries({ ...(kms.kind === 'local' && { KMS: kms.path }), SECRETS_FILE: secretsFile })
  const missing = files.find(([, file]) => !existsSync(file))
  if (missing === undefined) return
  const sql = openPool(databaseUrl, { connectionsMax: 1 })
  try {
    if (!(await hasOrganizations(sql))) return
  } finally {
    await sql.end({ timeout: 1 })
  }
  const [variable, file] = missing
  throw new LostKeysError(
    `${variable}: ${file} does not exist, but the database has organizations that need its keys. Name the right file, or restore it from a backup.`,
  )
}

async function hasOrganizations(sql: Sql): Promise<boolean> {
  const [tables] = await sql<{ exist: boolean }[]>`select to_regclass('organizations') is not null as exist`
  if (tables?.exist !== true) return false
  return (await sql`select 1 from organizations limit 1`).length > 0
}
