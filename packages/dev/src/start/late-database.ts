import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 5

/** The variable that names the file. */
export const lateDatabase = 'SYMBOLON_DATABASE_URL_FILE'

/** A file (mode 0600) that the address of the database comes in once it can be used: the API loads while the database comes up. */
export function lateDatabaseFile(file: string): { provide(databaseUrl: string): void } {
  // A file of a previous start does not describe this one.
  rmSync(file, { force: true })
  return {
    provide(databaseUrl) {
      writeFileSync(`${file}.new`, databaseUrl, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

/** The environment with `DATABASE_URL`, waited for if it comes late. */
export async function withDatabase(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const file = environment[lateDatabase]
  if (file === undefined) return environment
  while (!existsSync(file)) await sleep(pollMs)
  return { ...environment, DATABASE_URL: readFileSync(file, 'utf8') }
}
