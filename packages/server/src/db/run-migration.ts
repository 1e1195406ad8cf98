import { type MigrationReport, migrate, planMigration } from './migrate.ts'
import { openPool } from './pool.ts'

export { SchemaError } from './schema-error.ts'

/**
 * Migrates the database at an address, or only says what that would do. Throws a `SchemaError` where database and build do not
 * fit, and the driver's error where the database cannot be used.
 */
export async function runMigration(
  databaseUrl: string,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<MigrationReport> {
  const patient = openPool(databaseUrl, { connectionsMax: 1, isPatient: true })
  try {
    return isDryRun ? { ...(await planMigration(patient)), applied: false } : await migrate(patient)
  } finally {
    await patient.end({ timeout: 5 })
  }
}
