import path from 'node:path'
import {
  databaseUrlComplaint,
  type Installation,
  OperatorError,
  type Operators,
  productionInstallation,
  readMeasurements,
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
  const { BASE_URL: baseUrl } = world.environment
  const start = ownStart(world)
  if (start !== undefined)
    return { baseUrl: start.base_url, simulatedRoot: Buffer.from(start.attestation_root, 'base64') }
  return baseUrl ? { baseUrl } : undefined
}

/** The development start of this machine, unless the environment names another installation. */
function ownStart(world: CliWorld): DevStart | undefined {
  const start = readDevStart(world)
  const named = world.environment['DATABASE_URL']
  return !named || named === start?.databaseUrl ? start : undefined
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

/** The options of commands that order something of the enclave. */
export type OperatorOptions = { url?: string; ring?: string; operatorKey?: string[] }

/** What is missing of those options. The message is a sentence. */
export class OperatorOptionError extends Error {
  override readonly name = 'OperatorOptionError'
}

/**
 * Which platform carries an order, whose enclave must take it, and who signs: what the options say, and in development the start's own. `--url` names a
 * platform of production, wherever its hosts are. Throws `OperatorOptionError` for options that production needs.
 */
export function findOperators(world: CliWorld, options: OperatorOptions): Operators {
  const { url, ring: ringId, operatorKey: keys = [] } = options
  const start = url === undefined ? ownStart(world) : undefined
  const named = keys.map((file) => path.resolve(world.folder, file))
  if (start !== undefined) {
    const simulatedRoot = Buffer.from(start.attestation_root, 'base64')
    return {
      baseUrl: start.base_url,
      enclave: { ringId, isSimulatedAllowed: true, simulatedRoot },
      keyFiles: named.length > 0 ? named : [start.operatorKeyFile],
    }
  }
  const baseUrl = url ?? world.environment['BASE_URL'] ?? ''
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new OperatorOptionError('--url or BASE_URL must be the address of the platform')
  if (ringId === undefined) throw new OperatorOptionError('--ring must be the id of the key ring')
  if (named.length === 0)
    throw new OperatorOptionError('--operator-key must be the file of an operator’s key')
  const measurements = readMeasurements(world.environment)
  return { baseUrl, enclave: { ringId, measurements }, keyFiles: named }
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
  const start = ownStart(world)
  if (!world.environment['DATABASE_URL'] && start === undefined)
    throw new OperatorError('No installation was found: run npm start first, or set DATABASE_URL.')
  return start
}
