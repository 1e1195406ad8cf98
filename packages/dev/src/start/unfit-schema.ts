import { runMigration, SchemaError } from '@symbolon/server/run-migration'
import type { StartConfig } from './start-config.ts'

/**
 * The message for a developer whose database this build cannot use; undefined for other problems. One sentence that names
 * the data folder and the command that resets it.
 */
export async function unfitSchema(
  databaseUrl: string,
  config: Pick<StartConfig, 'databaseUrl' | 'dataFolder' | 'isFolderChosen'>,
): Promise<Error | undefined> {
  const reason = await runMigration(databaseUrl, { isDryRun: true }).then(
    () => undefined,
    (error: unknown) => (error instanceof SchemaError ? error.message : undefined),
  )
  if (reason === undefined) return undefined
  const cause = reason.replace(/\.$/, '')
  if (config.databaseUrl !== undefined) return new Error(`DATABASE_URL: ${cause}; name an empty database.`)
  const folder = config.isFolderChosen ? `SYMBOLON_DATA_DIR=${config.dataFolder} ` : ''
  return new Error(
    `${config.dataFolder}: ${cause}; to delete all its wallets and keys and start over, run ${folder}npm start -- --reset`,
  )
}
