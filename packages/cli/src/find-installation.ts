import {
  databaseUrlComplaint,
  type Installation,
  OperatorError,
  productionInstallation,
  readPlaces,
  simulatedInstallation,
} from '@symbolon/server/operator'
import type { CliWorld } from './cli-world.ts'
import { type DevStart, readDevStart } from './dev-start.ts'

/**
 * The installation that a command is for: the one that `DATABASE_URL` and the enclave's settings name, otherwise the development start.
 * Throws an error with a sentence where there is neither, or where a setting is wrong.
 */
export function findInstallation(world: CliWorld): Installation {
  const start = chosenStart(world)
  if (start === undefined) return productionInstallation(readPlaces(world.environment))
  const { databaseUrl, apiKey, enclave, attestation_root: root, processes } = start
  if (apiKey === undefined)
    throw new OperatorError(
      "The API's key towards the enclave is not in the data folder: run npm start again.",
    )
  return simulatedInstallation({
    databaseUrl,
    apiKey,
    ...enclave,
    rootDer: Buffer.from(root, 'base64'),
    pids: processes.filter(({ role }) => role === 'enclave').map(({ pid }) => pid),
  })
}

/** Where the installation of this machine is: the development start with its simulated root, or what `BASE_URL` names. */
export function ownPlatform(world: CliWorld): { baseUrl: string; simulatedRoot?: Uint8Array } | undefined {
  const { DATABASE_URL: named, BASE_URL: baseUrl } = world.environment
  const start = readDevStart(world)
  if (start !== undefined && (!named || named === start.databaseUrl))
    return { baseUrl: start.base_url, simulatedRoot: Buffer.from(start.attestation_root, 'base64') }
  return baseUrl ? { baseUrl } : undefined
}

/** The database of that installation, for commands that need no enclave. */
export function findDatabase(world: CliWorld): string {
  const start = chosenStart(world)
  if (start !== undefined) return start.databaseUrl
  const url = world.environment['DATABASE_URL'] ?? ''
  const complaint = databaseUrlComplaint(url)
  if (complaint !== undefined) throw new OperatorError(`DATABASE_URL cannot be used: ${complaint}.`)
  return url
}

/** What to do where a command was for a development start that has been stopped: its database stopped with it. */
export function stoppedStart(world: CliWorld): string | undefined {
  try {
    const database = chosenStart(world)?.processes.find(({ role }) => role === 'database')
    return database !== undefined && !isRunning(database.pid)
      ? 'npm start is not running, and its database stops with it: run npm start, and then this command in another terminal.'
      : undefined
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The development start, unless the environment names the database of another installation. */
function chosenStart(world: CliWorld): DevStart | undefined {
  const named = world.environment['DATABASE_URL']
  const start = readDevStart(world)
  if (!named && start === undefined)
    throw new OperatorError('No installation was found: run npm start first, or set DATABASE_URL.')
  return !named || named === start?.databaseUrl ? start : undefined
}
