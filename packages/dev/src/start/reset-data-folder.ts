import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { postgresBinaries } from '../postgres/postgres-binaries.ts'
import { postgresIdentity } from '../postgres/postgres-identity.ts'
import { claimDataDirectory } from '../postgres/postmaster-pid.ts'
import { claimDataFolder } from './claim-data-folder.ts'
import type { StartConfig } from './start-config.ts'

/** The files that a start keeps for the next one, except logs and compiled code. Each is worthless without the others. */
const kept = ['postgres', 'enclave', 'kms', 'secrets', 'chain', 'dev.json']

/**
 * Deletes the database, the keys and the chain that earlier starts have kept in the data folder, and nothing else in it. Returns the
 * names of what it deleted. Throws while a platform or a database runs there, and if the database is elsewhere (`DATABASE_URL`).
 */
export async function resetDataFolder({
  dataFolder,
  databaseUrl,
}: Pick<StartConfig, 'dataFolder' | 'databaseUrl'>): Promise<string[]> {
  if (databaseUrl !== undefined)
    throw new Error(
      'DATABASE_URL: --reset would delete the keys of that database; unset it, or empty the database yourself',
    )
  const release = claimDataFolder(dataFolder)
  try {
    const found = kept.filter((name) => existsSync(path.join(dataFolder, name)))
    if (found.includes('postgres')) await deleteDatabase(path.join(dataFolder, 'postgres'))
    for (const name of found) rmSync(path.join(dataFolder, name), { recursive: true, force: true })
    return found
  } finally {
    release()
  }
}

/** Its files may be outside the data folder, where the database runs as another user. */
async function deleteDatabase(folder: string): Promise<void> {
  const identity = postgresIdentity(postgresBinaries(), folder)
  await claimDataDirectory(path.join(identity.folder, 'data'))
  rmSync(identity.folder, { recursive: true, force: true })
}
