import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ApiKey } from '@symbolon/crypto/node'
import {
  chainEnvironment,
  identityEnvironment,
  type LocalChainUrls,
  logFile,
  mailCatcher,
  type SupervisedNode,
  supervisedNode,
} from '@symbolon/dev/testing/platform'
import { freePort } from '@symbolon/dev/testing/postgres'
import { superviseEnclave } from '@symbolon/enclave'
import type { Sql } from '@symbolon/server/pool'
import { inject } from 'vitest'
import { testPool } from '../database/test-database.ts'
import { makeTestRing } from '../enclave/test-ring.ts'
import { type HttpClient, httpClient } from '../http/http-client.ts'
import type {} from '../setup/assets.ts'

const compileCache = fileURLToPath(new URL('../../../../node_modules/.cache/test-platform', import.meta.url))
const upWithinMs = 30_000

/** One supervised API process of its own port (its supervisor, and the one worker that serves). */
export type ApiProcess = HttpClient & {
  metricsUrl: string
  supervisorPid(): number
  /** The worker; undefined while it is being started. */
  workerPid(): number | undefined
}

/** Every part of the platform as a real process, to be stopped and killed one by one. */
export type PlatformProcesses = {
  folder: string
  apis: ApiProcess[]
  /** Of all tokens: what the processes call themselves. */
  baseUrl: string
  databaseUrl: string
  sql: Sql
  enclave: { apiKey: ApiKey; pid(): number; stop(): Promise<void>; start(): Promise<void> }
  mail: { stop(): Promise<void>; start(): Promise<void> }
  files: { kms: string; secrets: string; enclaveKeys: string }
  /** Everything that the processes have written so far. */
  logs(): string
  /** Resolves once every API process answers that it is ready. */
  ready(withinMs?: number): Promise<void>
  stop(): Promise<void>
}

/** The options of a platform's processes. */
export type PlatformOptions = {
  databaseUrl: string
  apiCount?: number
  /** Something between (a wire to cut): the API processes use it instead of the database's own port. */
  databasePort?: number
  /** Where the API finds the mail server; the server itself listens on `listens`. */
  mailPorts?: { reached: number; listens: number }
  /** Chains that the processes are wired to (`sharedChain()`, `ownChain()`), as by `npm start`. */
  chains?: readonly LocalChainUrls[]
  environment?: Record<string, string>
}

/** Starts `apiCount` API processes (two without it) on one database, an enclave and a mail server. */
export async function startPlatformProcesses(options: PlatformOptions): Promise<PlatformProcesses> {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-faults-'))
  mkdirSync(compileCache, { recursive: true })
  const sql = testPool(options.databaseUrl)
  const enclave = enclaveOf(folder)
  const mailPort = options.mailPorts?.listens ?? (await freePort())
  const mail = restartable(() => mailCatcher(sql, mailPort))
  const apiCount = options.apiCount ?? 2
  const portsOf = () => Promise.all(Array.from({ length: apiCount }, () => freePort()))
  const [ports, metricsPorts] = await Promise.all([portsOf(), portsOf(), mail.start(), enclave.start()])
  const baseUrl = `http://127.0.0.1:${ports[0]}`
  const common = apiEnvironment(folder, {
    ...options,
    baseUrl,
    mailPort: options.mailPorts?.reached ?? mailPort,
  })
  const supervisors = ports.map((port, i) =>
    supervisedNode({
      entry: inject('apiEntry'),
      environment: {
        ...common,
        ENCLAVE_API_KEY: JSON.stringify(enclave.apiKey),
        PORT: String(port),
        METRICS_PORT: String(metricsPorts[i]),
        ...options.environment,
      },
      log: logFile(path.join(folder, 'logs'), `api-${i}`),
      onDeath: () => {},
    }),
  )
  const apis = supervisors.map((supervisor, i) =>
    apiProcess(supervisor, `http://127.0.0.1:${ports[i]}`, `http://127.0.0.1:${metricsPorts[i]}/metrics`),
  )
  const platform: PlatformProcesses = {
    folder,
    apis,
    baseUrl,
    databaseUrl: options.databaseUrl,
    sql,
    files: secretFilesOf(folder),
    enclave,
    mail: { start: mail.start, stop: () => mail.running().close() },
    logs: () => [...logsIn(path.join(folder, 'logs')), ...enclave.lines].join('\n'),
    async ready(withinMs = upWithinMs) {
      await Promise.all(apis.map((api) => untilReady(api, withinMs)))
    },
    async stop() {
      for (const api of apis) api.close()
      await Promise.all(supervisors.map((supervisor) => supervisor.stop()))
      await Promise.all([enclave.stop(), platform.mail.stop()])
      await sql.end({ timeout: 2 })
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await firstReady(platform, supervisors)
  return platform
}

/** Waits for a platform that was started, and ends it where it does not come up. */
async function firstReady(platform: PlatformProcesses, supervisors: readonly SupervisedNode[]) {
  try {
    await Promise.race([platform.ready(), ...supervisors.map(({ failure }) => failure)])
  } catch (error) {
    const logs = platform.logs()
    await platform.stop()
    throw new Error(`The platform did not come up: ${String(error)}\n${logs.slice(-4_000)}`)
  }
  for (const supervisor of supervisors) supervisor.markReady()
}

function secretFilesOf(folder: string): PlatformProcesses['files'] {
  const { kms, secrets, enclaveKeys } = filesIn(folder)
  return { kms, secrets, enclaveKeys }
}

function filesIn(folder: string) {
  const at = (name: string) => path.join(folder, name)
  return {
    kms: at('kms.json'),
    secrets: at('secrets.json'),
    enclaveKeys: at('tee-a.json'),
    enclaveSocket: at('e.sock'),
    enclaveRoot: at('root.der'),
  }
}

/** Something that can be started again; `running()` throws before its first start. */
function restartable<part>(make: () => Promise<part>) {
  let made: part | undefined
  return {
    async start() {
      made = await make()
    },
    running(): part {
      if (made === undefined) throw new Error('It was not started.')
      return made
    },
  }
}

/** The enclave of a platform, supervised, and all lines it has written. */
function enclaveOf(folder: string) {
  const { enclaveSocket, enclaveKeys, enclaveRoot } = filesIn(folder)
  const lines: string[] = []
  const { apiKey } = makeTestRing(enclaveKeys)
  const { start, running } = restartable(async () => {
    const supervisor = superviseEnclave({
      entry: inject('enclaveEntry'),
      args: [enclaveSocket, enclaveKeys, enclaveRoot],
      environment: { NODE_COMPILE_CACHE: compileCache },
      log: (event, fields) => lines.push(JSON.stringify({ event, ...fields })),
      onLine: (line) => lines.push(line),
    })
    await supervisor.ready
    return supervisor
  })
  return {
    apiKey,
    lines,
    start,
    stop: () => running().stop(),
    pid() {
      const pid = running().pid()
      if (pid === undefined) throw new Error('The enclave is not running.')
      return pid
    },
  }
}

/** The environment of every API process, but for its port and what a test adds. */
function apiEnvironment(
  folder: string,
  options: PlatformOptions & { baseUrl: string; mailPort: number },
): Record<string, string> {
  const files = filesIn(folder)
  const databaseUrl = new URL(options.databaseUrl)
  if (options.databasePort !== undefined) databaseUrl.port = String(options.databasePort)
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'development',
    NODE_COMPILE_CACHE: compileCache,
    WORKERS: '1',
    LOG_LEVEL: 'info',
    BASE_URL: options.baseUrl,
    SYMBOLON_DATA_DIR: folder,
    DATABASE_URL: databaseUrl.href,
    SMTP_URL: `smtp://127.0.0.1:${options.mailPort}`,
    KMS: `local:${files.kms}`,
    SECRETS_FILE: files.secrets,
    ENCLAVE_SOCKET: files.enclaveSocket,
    ATTESTATION_ROOT: files.enclaveRoot,
    ...identityEnvironment(options.baseUrl, folder, options.environment ?? {}),
    ...chainEnvironment((options.chains ?? []).map(urlsOf)),
  }
}

function apiProcess(supervisor: SupervisedNode, url: string, metricsUrl: string): ApiProcess {
  const supervisorPid = () => {
    const pid = supervisor.pid()
    if (pid === undefined) throw new Error('An API process is not running.')
    return pid
  }
  return { ...httpClient(url), metricsUrl, supervisorPid, workerPid: () => childrenOf(supervisorPid())[0] }
}

const logsIn = (folder: string): string[] =>
  readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))

/** Nothing else of a chain belongs into an environment. */
function urlsOf({ handle, rpcUrl, bundlerUrl, paymasterUrl }: LocalChainUrls): LocalChainUrls {
  return { handle, rpcUrl, bundlerUrl, paymasterUrl }
}

async function untilReady(api: HttpClient, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const status = await api.call('/v1/ready').then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) return
    if (performance.now() > deadline) throw new Error(`${api.url} is not ready after ${withinMs} ms`)
    await sleep(20)
  }
}

/** Processes that a process started and that are still there; the kernel lists them. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
