import { existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { superviseEnclave } from '@symbolon/enclave/supervisor'
import { firstOwner } from '../identity/first-owner.ts'
import { identityEnvironment } from '../identity/identity-environment.ts'
import { freePort, isFree } from '../postgres/free-port.ts'
import { startPostgres } from '../postgres/start-postgres.ts'
import { claimDataFolder } from './claim-data-folder.ts'
import { compileCacheFolder } from './data-folder.ts'
import { demoOrganizations } from './demo-organizations.ts'
import { type DevFile, devFilePath, readDevFile, writeDevFile } from './dev-file.ts'
import { type HttpAnswer, untilServed } from './http-call.ts'
import { lateDatabase, lateDatabaseFile } from './late-database.ts'
import { chainEnvironment, localChains, localUrls } from './local-chains.ts'
import { logFile } from './log-file.ts'
import { programEntry } from './program-entry.ts'
import { socketFolder } from './short-folder.ts'
import { staleAssets } from './stale-assets.ts'
import { chainEntry, type StartedChains, startChains } from './start-chains.ts'
import type { StartConfig } from './start-config.ts'
import { supervisedNode } from './supervised-node.ts'

const readyWithinMs = 30_000

/**
 * A platform on its way up or running. `ready` resolves once signatures are served, and rejects when that fails. `chain`
 * resolves later, with whether there is a local chain that works; why there is none has been told then.
 */
export type Platform = {
  dataFolder: string
  ready: Promise<DevFile>
  chain: Promise<boolean>
  /** `kill -9` of all API processes at once; they are started again, as after any death. */
  killApi(): void
  stop(): Promise<void>
}

/** Starts all parts at once, each supervised; `tell` gets what a developer should know. Throws where the folder is taken. */
export function startPlatform(config: StartConfig, tell: (line: string) => void): Platform {
  const { dataFolder, host, port } = config
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const release = claimDataFolder(dataFolder)
  /** What to stop, in the order it was started: later parts need the earlier ones until their own end. */
  const stops: (() => Promise<void> | void)[] = []
  let isStopping = false
  let chains: StartedChains | undefined
  let apiPid: () => number | undefined = () => undefined
  const ready = start()
  ready.catch(() => {})
  const chain = ready.then(
    () => chainServed(),
    () => false,
  )

  return {
    dataFolder,
    ready,
    chain,
    killApi() {
      const pid = apiPid()
      // Its process group: the primary and its workers.
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    },
    async stop() {
      isStopping = true
      // A part that is just coming up has to be there before it can be stopped.
      await ready.catch(() => {})
      const failures: unknown[] = []
      for (const stop of stops.reverse()) await Promise.resolve(stop()).catch((error) => failures.push(error))
      release()
      if (failures.length > 0) throw failures[0]
    },
  }

  async function start(): Promise<DevFile> {
    if (!(await isFree(port, host)))
      throw new Error(`Port ${port} is in use: stop what listens there, or set PORT`)
    const logs = path.join(dataFolder, 'logs')
    const environment = { NODE_COMPILE_CACHE: compileCacheFolder(dataFolder) }
    const chainFolder = privateFolder('chain')
    const local = config.hasChain ? await localChains(chainFolder, config.passedOn) : []

    const enclaveFolder = socketFolder(dataFolder, 'enclave', 'enclave.sock')
    const socket = path.join(enclaveFolder, 'enclave.sock')
    const root = path.join(privateFolder('enclave'), 'simulated-root.der')
    const keys = path.join(privateFolder('enclave'), 'tee-a.keys.json')
    const enclaveLog = logFile(logs, 'enclave')
    const enclave = superviseEnclave({
      entry: programEntry('enclave'),
      args: [socket, keys, root],
      environment,
      log: (event, fields) => tell(`enclave: ${event} ${fields?.['reason'] ?? ''}`.trimEnd()),
      onLine: enclaveLog.write,
    })
    stops.push(async () => {
      await enclave.stop()
      // Outside of the data folder it would be left behind when that is deleted.
      if (!enclaveFolder.startsWith(dataFolder)) rmSync(enclaveFolder, { recursive: true, force: true })
    })

    const mailPort = await freePort()
    const databaseFile = path.join(privateFolder('secrets'), 'database.url')
    const late = lateDatabaseFile(databaseFile)
    const parts = Promise.allSettled([database(logs), untilExists(root)])
    const apiLog = logFile(logs, 'api')
    const api = supervisedNode({
      entry: programEntry('api'),
      environment: {
        ...config.passedOn,
        ...identityEnvironment(baseUrl, privateFolder('secrets'), config.passedOn),
        ...chainEnvironment(local.map(localUrls), config.passedOn),
        ...environment,
        NODE_ENV: 'development',
        HOST: host,
        PORT: String(port),
        BASE_URL: baseUrl,
        SYMBOLON_DATA_DIR: dataFolder,
        [lateDatabase]: databaseFile,
        SMTP_URL: config.smtpUrl ?? `smtp://127.0.0.1:${mailPort}`,
        KMS: config.kms ?? `local:${path.join(privateFolder('kms'), 'keys.json')}`,
        SECRETS_FILE: path.join(privateFolder('secrets'), 'server.json'),
        ENCLAVE_SOCKET: socket,
        ENCLAVE_ROOT: root,
        SYMBOLON_DEV_FILE: devFilePath(dataFolder),
      },
      log: apiLog,
      onDeath: (reason) => tell(`API: ended (${reason}), starting it again; see ${apiLog.path}`),
    })
    apiPid = () => api.pid()
    // Both, whatever becomes of either: what came up has to be known to be stopped, and the API before it.
    const [reached, attested] = await parts
    stops.push(() => api.stop())
    if (reached.status === 'rejected') throw reached.reason
    if (attested.status === 'rejected') throw attested.reason
    const databaseUrl = reached.value
    late.tell(databaseUrl)

    const served = untilServed(`${baseUrl}/v1/ready`, {
      withinMs: readyWithinMs,
      isEnough: servesSigning,
    }).catch((error) => {
      throw new Error(`${error.message}\nThe end of ${apiLog.path}:\n${apiLog.tail()}`)
    })
    await Promise.race([served, api.failure, stopped()]).catch(async (error: unknown) => {
      const { unfitSchema } = await import('./unfit-schema.ts')
      throw (!isStopping && (await unfitSchema(databaseUrl, config))) || error
    })
    api.markReady()
    // Not before, for it is slow to load: a mail sent meanwhile waits in the outbox.
    const [organizations] = await Promise.all([
      demoOrganizations(baseUrl, readDevFile(dataFolder)?.organizations),
      catchMail(databaseUrl, mailPort),
    ])
    const file: DevFile = {
      base_url: baseUrl,
      portal_url: `${baseUrl}/portal`,
      demo_url: `${baseUrl}/demo`,
      mailbox_url: `${baseUrl}/dev/mailbox`,
      reference_url: `${baseUrl}/reference`,
      organizations,
      portal: { email: firstOwner },
      ...(local[0] === undefined ? {} : { chain: chainEntry(local[0]) }),
    }
    writeDevFile(dataFolder, file)
    // Only now: signatures come first, and the chains would take the processors that the platform comes up with.
    if (local.length > 0) {
      const log = logFile(logs, 'chain')
      chains = startChains({ chains: local, folder: chainFolder, environment, baseUrl, log, tell })
      stops.push(chains.stop)
    }
    stops.push(staleAssets({ log: logFile(logs, 'build'), tell }).stop)
    return file
  }

  async function chainServed(): Promise<boolean> {
    try {
      await Promise.race([chains?.served(), stopped()])
      return chains !== undefined
    } catch (error) {
      if (!isStopping) tell(`local chain: ${error instanceof Error ? error.message : String(error)}`)
      return false
    }
  }

  function privateFolder(name: string): string {
    const folder = path.join(dataFolder, name)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  async function database(logs: string): Promise<string> {
    if (config.databaseUrl !== undefined) {
      const { reachableDatabase } = await import('./reachable-database.ts')
      return reachableDatabase(config.databaseUrl)
    }
    const log = logFile(logs, 'postgres')
    const server = await startPostgres({
      folder: path.join(dataFolder, 'postgres'),
      log: (line) => {
        log.write(line)
        tell(`database: ${line}`)
      },
    })
    stops.push(() => server.stop())
    return server.url
  }

  async function catchMail(databaseUrl: string, port: number): Promise<void> {
    if (config.smtpUrl !== undefined) return
    const [{ mailCatcher }, { openPool }] = await Promise.all([
      import('../mail/mail-catcher.ts'),
      import('@symbolon/server/pool'),
    ])
    const sql = openPool(databaseUrl, { connectionsMax: 2 })
    const catcher = await mailCatcher(sql, port)
    stops.push(async () => {
      await catcher.close()
      await sql.end({ timeout: 2 })
    })
  }

  async function untilExists(file: string): Promise<void> {
    const deadline = performance.now() + readyWithinMs
    while (!existsSync(file)) {
      if (performance.now() > deadline)
        throw new Error(`The enclave did not start: see ${path.join(dataFolder, 'logs')}`)
      if (isStopping) throw new Error('stopped while starting')
      await sleep(5)
    }
  }

  async function stopped(): Promise<never> {
    while (!isStopping) await sleep(50)
    throw new Error('stopped while starting')
  }
}

/** Whether all that signing needs is there: the chain and the file that names the demo organizations may follow. */
function servesSigning({ status, body }: HttpAnswer): boolean {
  if (status === 200) return true
  const { error } = (body ?? {}) as {
    error?: { details?: { components?: Record<string, { status: string }> } }
  }
  const { chain, dev_file: _, ...others } = error?.details?.components ?? {}
  return chain !== undefined && Object.values(others).every((component) => component.status === 'up')
}
