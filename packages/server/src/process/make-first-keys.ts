import { existsSync } from 'node:fs'
import type { KeyPurpose } from '@symbolon/crypto/node'
import { makeLocalKeys } from '../adapters/kms-local.ts'
import { type Config, ConfigError } from '../config.ts'
import { openPool, type Sql } from '../db/pool.ts'

/** The file of a key is gone. It shows on contact with the database alone, unlike what a `ConfigError` names otherwise. */
export class LostKeysError extends ConfigError {}

/**
 * Makes the key file of `KMS=local:…` for an installation that holds nothing yet, and the keys of purposes that have sealed nothing; no
 * other part of the service makes any. Throws a `LostKeysError` where the file of a key is missing and the database has organizations or
 * names keys: a new one could open none of their wallets and recognise none of their API keys. Throws the database's error when it cannot
 * be asked, `KeyFileError` for an unfit file.
 */
export async function makeFirstKeys({
  databaseUrl,
  kms,
  secretsFile,
}: Pick<Config, 'databaseUrl' | 'kms' | 'secretsFile'>): Promise<void> {
  const keyFile = kms.kind === 'local' ? kms.path : undefined
  const files = Object.entries({ ...(keyFile !== undefined && { KMS: keyFile }), SECRETS_FILE: secretsFile })
  const missing = files.find(([, file]) => !existsSync(file))
  if (missing === undefined && keyFile === undefined) return
  const sql = openPool(databaseUrl, { connectionsMax: 1 })
  try {
    const inUse = await purposesInUse(sql)
    if (missing !== undefined && (inUse.length > 0 || (await hasOrganizations(sql)))) throw lost(...missing)
    if (keyFile !== undefined) makeLocalKeys(keyFile, inUse)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const lost = (variable: string, file: string) =>
  new LostKeysError(
    `${variable}: ${file} does not exist, but the database has organizations that need its keys. Name the right file, or restore it from a backup.`,
  )

async function hasOrganizations(sql: Sql): Promise<boolean> {
  if (!(await hasTable(sql, 'organizations'))) return false
  return (await sql`select 1 from organizations limit 1`).length > 0
}

async function purposesInUse(sql: Sql): Promise<KeyPurpose[]> {
  if (!(await hasTable(sql, 'kms_keys'))) return []
  return (await sql<{ purpose: KeyPurpose }[]>`select purpose from kms_keys`).map(({ purpose }) => purpose)
}

const hasTable = async (sql: Sql, name: string): Promise<boolean> =>
  (await sql`select 1 where to_regclass(${name}) is not null`).length > 0
