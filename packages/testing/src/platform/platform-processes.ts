import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Supervisor, superviseEnclave } from '@symbolon/enclave'
import { programFile } from '../../../../scripts/run.ts'
import { identityEnvironment } from '../../../dev/src/identity/identity-environment.ts'
import { type MailCatcher, mailCatcher } from '../../../dev/src/mail/mail-catcher.ts'
import { freePort } from '../../../dev/src/postgres/free-port.ts'
import { chainEnvironment, type LocalChainUrls } from '../../../dev/src/start/local-chains.ts'
import { logFile } from '../../../dev/src/start/log-file.ts'
import { type SupervisedNode, supervisedNode } from '../../../dev/src/start/supervised-node.ts'
import type { Sql } from '../../../server/src/db/pool.ts'
import { testPool } from '../database/test-database.ts'
import { type HttpClient, httpClient } from '../http/http-client.ts'

// As `npm start` runs it.
const apiEntry = programFile('api')
const compileCache = fileURLToPath(new URL('../../../../node_modules/.cache/test-platform', import.meta.url))
const upWithinMs = 30_000

/** One supervised API process of its own port (its supervisor, and the one worker that serves). */
export type ApiProcess = HttpClient & {
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
  enclave: { pid(): number; stop(): Promise<void>; start(): Promise<void> }
  mail: { stop(): Promise<void>; start(): Promise<void> }
  files: { kms: string; secrets: string; enclaveKeys: string }
  /** Everything that the processes have written so far. */
  logs(): string
  /** Resolves once every API process answers that it is ready. */
  ready(withinMs?: number): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts `apiCount` API processes on one database, an enclave and a mail server. `databasePort` and `mailPort` put
 * something between (a wire to cut): the processes use them instead of the real ones.
 */
export async function startPlatformProcesses(options: {
  databaseUrl: string
  apiCount?: number
  databasePort?: number
  /** Where the API finds the mail server; the server itself listens on `mailListensAt`. */
  mailPorts?: { reached: number; listens: number }
  /** Chains that the processes are wired to (`sharedChain()`, `ownChain()`), as by `npm start`. */
  chains?: readonly LocalChainUrls[]
  environment?: Record<string, string>
}): Promise<PlatformProcesses> {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-faults-'))
  mkdirSync(compileCache, { recursive: true })
  const at = (name: string) => path.join(folder, name)
  const files = { kms: at('kms.json'), secrets: at('secrets.json'), enclaveKeys: at('tee-a.json') }
  const sql = testPool(options.databaseUrl)

  const enclaveLines: string[] = []
  const startEnclave = (): Supervisor =>
    superviseEnclave({
      entry: programFile('enclave'),
      args: [at('e.sock'), files.enclaveKeys, at('root.der')],
      environment: { NODE_COMPILE_CACHE: compileCache },
      log: (event, fields) => enclaveLines.push(JSON.stringify({ event, ...fields })),
      onLine: (line) => enclaveLines.push(line),
    })
  let enclave = startEnclave()
  const listens = options.mailPorts?.listens ?? (await freePort())
  let mail: MailCatcher
  ;[mail] = await Promise.all([mailCatcher(sql, listens), enclave.ready])

  const ports = await Promise.all(Array.from({ length: options.apiCount ?? 2 }, () => freePort()))
  const baseUrl = `http://127.0.0.1:${ports[0]}`
  const databaseUrl = new URL(options.databaseUrl)
  if (options.databasePort !== undefined) databaseUrl.port = String(options.databasePort)
  const supervisors: SupervisedNode[] = ports.map((port, i) =>
    supervisedNode({
      entry: apiEntry,
      environment: {
        PATH: process.env['PATH'] ?? '',
        NODE_ENV: 'development',
        NODE_COMPILE_CACHE: compileCache,
        WORKERS: '1',
        LOG_LEVEL: 'info',
        PORT: String(port),
        BASE_URL: baseUrl,
        SYMBOLON_DATA_DIR: folder,
        DATABASE_URL: databaseUrl.href,
        SMTP_URL: `smtp://127.0.0.1:${options.mailPorts?.reached ?? listens}`,
        KMS: `local:${files.kms}`,
        SECRETS_FILE: files.secrets,
        ENCLAVE_SOCKET: at('e.sock'),
        ENCLAVE_ROOT: at('root.der'),
        ...identityEnvironment(baseUrl, folder, options.environment ?? {}),
        ...chainEnvironment((options.chains ?? []).map(urlsOf)),
        ...options.environment,
      },
      log: logFile(at('logs'), `api-${i}`),
      onDeath: () => {},
    }),
  )
  const apis = supervisors.map((supervisor, i): ApiProcess => {
    const supervisorPid = () => {
      const pid = supervisor.pid()
      if (pid === undefined) throw new Error('An API process is not running.')
      return pid
    }
    return {
      ...httpClient(`http://127.0.0.1:${ports[i]}`),
      supervisorPid,
      workerPid: () => childrenOf(supervisorPid())[0],
    }
  })

  const platform: PlatformProcesses = {
    folder,
    apis,
    baseUrl,
    databaseUrl: options.databaseUrl,
    sql,
    files,
    enclave: {
      pid() {
        const pid = enclave.pid()
        if (pid === undefined) throw new Error('The enclave is not running.')
        return pid
      },
      stop: () => enclave.stop(),
      async start() {
        enclave = startEnclave()
        await enclave.ready
      },
    },
    mail: {
      stop: () => mail.close(),
      async start() {
        mail = await mailCatcher(sql, listens)
      },
    },
    logs() {
      const written = readdirSync(at('logs')).map((name) => readFileSync(path.join(at('logs'), name), 'utf8'))
      return [...written, ...enclaveLines].join('\n')
    },
    async ready(withinMs = upWithinMs) {
      await Promise.all(apis.map((api) => untilReady(api, withinMs)))
    },
    async stop() {
      for (const api of apis) api.close()
      await Promise.all(supervisors.map((supervisor) => supervisor.stop()))
      await Promise.all([enclave.stop(), mail.close()])
      await sql.end({ timeout: 2 })
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await Promise.race([platform.ready(), ...supervisors.map(({ failure }) => failure)])
  } catch (error) {
    const logs = platform.logs()
    await platform.stop()
    throw new Error(`The platform did not come up: ${String(error)}\n${logs.slice(-4_000)}`)
  }
  for (const supervisor of supervisors) supervisor.markReady()
  return platform
}

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
