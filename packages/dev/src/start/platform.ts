import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { simulatedRegisters } from '../attestation/simulated-measurements.ts'
import { missingAnvil } from '../chain/anvil-binary.ts'
import { firstOwner } from '../identity/first-owner.ts'
import { freePort, listenFault } from '../postgres/free-port.ts'
import { claimDataFolder } from './claim-data-folder.ts'
import { demoOrganizations } from './demo-organizations.ts'
import { type DevFile, readDevFile, writeDevFile } from './dev-file.ts'
import type { DevCustody } from './dev-manifest.ts'
import { enclaveKeyFiles, makeApiKey } from './enclave-keys.ts'
import { followProcesses, listProcesses, pidInFile } from './follow-processes.ts'
import { lateDatabaseFile } from './late-database.ts'
import { bundlerPidFile, type LocalChain, localChains } from './local-chains.ts'
import { staleAssets } from './stale-assets.ts'
import { type StartedApi, startApi } from './start-api.ts'
import { chainEntry, type StartedChains, startChains } from './start-chains.ts'
import { type StartConfig, urlHost } from './start-config.ts'
import { catchMails, startDatabase } from './start-database.ts'
import { ringFileOf, type StartedEnclave, startEnclave } from './start-enclave.ts'
import { type StartPorts, startPorts } from './start-ports.ts'
import { logOf, newStartup, privateFolder, type Startup, stopped } from './startup.ts'

/**
 * A platform on its way up or running. `ready` resolves once signatures are served, and rejects when that fails. `chain`
 * resolves later, with whether a local chain works; if none does, the reason has been reported.
 */
export type Platform = {
  dataFolder: string
  ready: Promise<DevFile>
  chain: Promise<boolean>
  /** `kill -9` of all API processes at once; they are started again, as after any death. */
  killApi(): void
  stop(): Promise<void>
}

/** Starts all parts at once, each supervised; `report` gets messages for the developer. Throws if the folder is in use. */
export function startPlatform(config: StartConfig, report: (line: string) => void): Platform {
  const release = claimDataFolder(config.dataFolder)
  const startup = newStartup(config, report)
  const parts: Parts = {}
  const ready = startParts(startup, parts)
  ready.catch(() => {})
  return {
    dataFolder: config.dataFolder,
    ready,
    chain: ready.then(
      () => chainServed(startup, parts.chains),
      () => false,
    ),
    killApi() {
      const pid = parts.api?.pid()
      // Its process group: the primary and its workers.
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    },
    async stop() {
      startup.isStopping = true
      // A starting part can be stopped only once it is up.
      await ready.catch(() => {})
      const failures: unknown[] = []
      for (const stop of startup.stops.reverse())
        await Promise.resolve(stop()).catch((error) => failures.push(error))
      release()
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** What the build of the wallet frame is named (`scripts/build/iframe.ts`). */
const iframeBuild = 'iframe'

type Parts = { api?: StartedApi; chains?: StartedChains }

async function checkPort({ host, port }: Pick<Startup['config'], 'host' | 'port'>): Promise<void> {
  const fault = await listenFault(port, host)
  if (fault === undefined) return
  if (fault === 'EADDRINUSE')
    throw new Error(`Port ${port} is in use: stop the program that listens there, or set PORT`)
  if (fault === 'EADDRNOTAVAIL' || fault === 'ENOTFOUND')
    throw new Error(`HOST is not an address of this machine: ${host}`)
  throw new Error(`Port ${port} cannot be used on ${host} (${fault}): set PORT or HOST`)
}

async function startParts(startup: Startup, parts: Parts): Promise<DevFile> {
  const { config, stops } = startup
  await checkPort(config)
  const chains = await wantedChains(startup)
  // Before anything starts: a port that is taken ends the start.
  const [mailPort, ports] = [await freePort(), await startPorts(config, readDevFile(config.dataFolder))]
  const custody = await prepareCustody(startup, ports)
  const enclave = startEnclave(startup)
  const databaseFile = path.join(privateFolder(startup, 'secrets'), 'database.url')
  const late = lateDatabaseFile(databaseFile)
  const needs = Promise.allSettled([startDatabase(startup), enclave.attested])
  const api = startApi(startup, { enclave, chains, databaseFile, mailPort, ports })
  parts.api = api
  // Wait for both, even if one fails: a started part must be known to be stopped, and the API before it.
  const [database, attested] = await needs
  stops.push(api.stop)
  if (database.status === 'rejected') throw database.reason
  if (attested.status === 'rejected') throw attested.reason
  late.provide(database.value)
  // Not before, for what it needs of the server is slow to load.
  const ringProblem = import('./prepare-ring.ts').then(({ prepareRing }) =>
    prepareRing(database.value, enclave.ring, custody),
  )
  ringProblem.catch(() => {})
  await api.served().catch(async (error: unknown) => {
    const { unfitSchema } = await import('./unfit-schema.ts')
    throw (!startup.isStopping && (await unfitSchema(database.value, config))) || error
  })
  const problem = await ringProblem
  if (problem !== undefined) startup.report(problem)
  // Not before, for it is slow to load: an email sent meanwhile waits in the outbox.
  const [organizations] = await Promise.all([
    demoOrganizations(config.localUrl, readDevFile(config.dataFolder)?.organizations),
    catchMails(startup, database.value, mailPort),
  ])
  const file = devFile(startup, { organizations, chains, enclave, ports })
  writeDevFile(config.dataFolder, file)
  startLast(startup, parts, chains, custody)
  const unfollow = followProcesses(startup.processes, (processes) =>
    writeDevFile(config.dataFolder, { ...file, processes }),
  )
  stops.push(unfollow)
  return file
}

/** The API's key, without which it does not start; and the manifest, before the enclave reads it. */
async function prepareCustody(startup: Startup, ports: StartPorts): Promise<DevCustody> {
  const keys = enclaveKeyFiles(startup)
  makeApiKey(keys)
  const { stateAcceptance } = startup.config
  const custody = { keys, stateAcceptance, baseUrl: startup.baseUrl, frameUrl: frameUrlOf(startup, ports) }
  // A first start has no use for it, and it is slow to load.
  if (existsSync(ringFileOf(startup))) await renewManifest(startup, custody)
  return custody
}

/** Signs a new version of the manifest where the newest says something else than this start. */
async function renewManifest(startup: Startup, custody: DevCustody): Promise<void> {
  const { renewDevManifest } = await import('./dev-manifest.ts')
  const problem = renewDevManifest(ringFileOf(startup), custody)
  if (problem !== undefined) startup.report(problem)
}

/** The local chains to run: none, and a line about it, where npm has no chain node for this system. */
async function wantedChains(startup: Startup): Promise<LocalChain[]> {
  const { config, report } = startup
  if (!config.hasChain) return []
  const chains = await localChains(privateFolder(startup, 'chain'), config.passedOn)
  const missing = missingAnvil()
  if (chains.length === 0 || missing === undefined) return chains
  report(
    `local chain: off, because ${missing} is not installed (npm does not offer it for every system); everything else works`,
  )
  return []
}

/** The parts that signatures do not need; earlier, they would slow the start of the others. */
function startLast(startup: Startup, parts: Parts, chains: readonly LocalChain[], custody: DevCustody): void {
  const { environment, stops, report } = startup
  const baseUrl = startup.config.localUrl
  if (chains.length > 0) {
    const folder = privateFolder(startup, 'chain')
    const log = logOf(startup, 'chain')
    parts.chains = startChains({ chains, folder, environment, baseUrl, log, report })
    stops.push(parts.chains.stop)
    startup.processes.push(
      { role: 'chain', pid: parts.chains.pid },
      ...chains.map((chain) => ({
        role: 'bundler' as const,
        pid: () => pidInFile(bundlerPidFile(folder, chain)),
      })),
    )
  }
  // The manifest names the frame that is served.
  const onBuilt = (name: string) => {
    if (name !== iframeBuild) return
    renewManifest(startup, custody).catch(() => report('The manifest of the enclave could not be renewed.'))
  }
  stops.push(staleAssets({ log: logOf(startup, 'build'), report, onBuilt }).stop)
}

async function chainServed(startup: Startup, chains: StartedChains | undefined): Promise<boolean> {
  try {
    await Promise.race([chains?.served(), stopped(startup)])
    return chains !== undefined
  } catch (error) {
    if (!startup.isStopping)
      startup.report(`local chain: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

const frameUrlOf = ({ baseUrl, config }: Startup, ports: StartPorts): string =>
  config.frameBaseUrl ?? withPort(baseUrl, ports.frame)

function withPort(origin: string, port: number | undefined): string {
  const url = new URL(origin)
  if (port !== undefined) url.port = String(port)
  return url.origin
}

function devFile(
  startup: Startup,
  {
    organizations,
    chains,
    ports,
    enclave: { socket, ring, root },
  }: Pick<DevFile, 'organizations'> & {
    chains: readonly LocalChain[]
    ports: StartPorts
    enclave: StartedEnclave
  },
): DevFile {
  const { baseUrl, processes, config } = startup
  const [first] = chains
  return {
    base_url: baseUrl,
    portal_url: `${baseUrl}/portal`,
    demo_url: `${baseUrl}/demo`,
    mailbox_url: `${baseUrl}/dev/mailbox`,
    reference_url: `${baseUrl}/reference`,
    frame_url: frameUrlOf(startup, ports),
    metrics_url: `http://${urlHost(config.metrics.host)}:${ports.metrics}/metrics`,
    organizations,
    portal: { email: firstOwner },
    enclave_root: `file:${ring}`,
    attestation_root: readFileSync(root, 'base64'),
    enclave: { socket, measurements: [simulatedRegisters] },
    processes: listProcesses(processes),
    ...(first === undefined ? {} : { chain: chainEntry(first) }),
    chains: chains.map(chainEntry).map(({ handle, chain_id, rpc_url }) => ({ handle, chain_id, rpc_url })),
  }
}
