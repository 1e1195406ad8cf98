import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ApiKey } from '@symbolon/server/operator'
import type { CliWorld } from './cli-world.ts'

/** What `dev.json` says of a development start, as far as operators' commands need it, where its database is, and its key towards the enclave. */
export type DevStart = {
  databaseUrl: string
  /** Undefined for a start from before the enclave knew keys. */
  apiKey: ApiKey | undefined
  /** The file of its operator's key. */
  operatorKeyFile: string
  base_url: string
  attestation_root: string
  enclave: { socket: string; measurements: Record<string, string>[] }
  processes: { role: string; pid: number }[]
}

/** The folder that a start keeps its data in: `SYMBOLON_DATA_DIR`, or `.symbolon` here or in the repository. */
const dataFolders = ({ environment, folder, repository }: CliWorld): string[] => {
  const chosen = environment['SYMBOLON_DATA_DIR']
  const names = chosen ? [chosen] : ['.symbolon', path.join(repository, '.symbolon')]
  return names.map((name) => path.resolve(folder, name))
}

/** The development start whose `dev.json` is found; undefined where there is none. */
export function readDevStart(world: CliWorld): DevStart | undefined {
  for (const folder of dataFolders(world)) {
    try {
      const file = JSON.parse(readFileSync(path.join(folder, 'dev.json'), 'utf8')) as DevStart
      // The file is for tests and tools, the database's password and the API's key for neither: they have files of their own.
      const databaseUrl = readFileSync(path.join(folder, 'secrets', 'database.url'), 'utf8')
      const operatorKeyFile = path.join(folder, 'enclave', 'operator-key.json')
      if (file.enclave?.socket && file.processes)
        return { ...file, databaseUrl, apiKey: apiKeyIn(folder), operatorKeyFile }
    } catch {
      // The next folder.
    }
  }
  return undefined
}

function apiKeyIn(folder: string): ApiKey | undefined {
  const file = path.join(folder, 'secrets', 'enclave-api-key.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ApiKey) : undefined
}
