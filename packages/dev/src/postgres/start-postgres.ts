import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseFault } from './database-fault.ts'
import { freePort } from './free-port.ts'
import { type GuardedProcess, guardedProcess } from './guarded-process.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { type PostgresIdentity, postgresIdentity } from './postgres-identity.ts'
import { postgresSettings } from './postgres-settings.ts'
import { claimDataDirectory, postmasterPid } from './postmaster-pid.ts'

const bootMs = 30_000
const stopMs = 10_000
const restartPauseMs = { first: 20, last: 2_000 }
const user = 'symbolon'

/** `folder` keeps everything; `isDurable: false` trades safety from power loss for speed (tests); `log` gets notable lines. */
export type PostgresOptions = {
  folder: string
  isDurable?: boolean
  log?: (line: string) => void
  identity?: typeof postgresIdentity
  /** Further settings of the server, by name. */
  settings?: Record<string, string | number>
}

/** A running database server. The address stays the same for its whole life, restarts included. */
export type Postgres = {
  /** `postgres://…` of the superuser on the loopback interface; the password is random and kept in `folder`. */
  url: string
  mode: PostgresIdentity['mode']
  data: string
  /** Process id of the postmaster, undefined while it is down. */
  pid(): number | undefined
  /** Stops it cleanly and for good; repeatable. */
  stop(): Promise<void>
}

/**
 * Starts the embedded PostgreSQL and keeps it running: created on first use, restarted when it dies, stopped when this
 * process ends in any way. Rejects when it does not start, or when another server uses the folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const log = options.log ?? (() => {})
  const identify = options.identity ?? postgresIdentity
  const identity = identify(postgresBinaries(), path.resolve(options.folder))
  const data = path.join(identity.folder, 'data')
  const isDurable = options.isDurable ?? true
  const password = await createDatabase(identity, data, isDurable)
  await claimDataDirectory(data)

  const port = await freePort()
  const settings = postgresSettings({ port, isDurable, ...(options.settings && { more: options.settings }) })
  let isStopping = false
  let running = await boot(identity, data, settings)
  const supervision = supervise()

  return {
    url: `postgres://${user}:${password}@127.0.0.1:${port}/postgres`,
    mode: identity.mode,
    data,
    pid: () => postmasterPid(data),
    async stop() {
      isStopping = true
      await halt(running, data)
      await supervision
    },
  }

  async function supervise(): Promise<void> {
    let pauseMs = restartPauseMs.first
    for (;;) {
      const ending = await running.ended
      if (isStopping) return
      log(`PostgreSQL stopped (${ending}), restarting it`)
      try {
        // Ending the guard's input also stops a server whose guard alone was killed.
        running.process.stdin?.destroy()
        await sleep(pauseMs)
        await claimDataDirectory(data)
        if (isStopping) return
        running = await boot(identity, data, settings)
        if (isStopping) await halt(running, data)
        pauseMs = restartPauseMs.first
      } catch (error) {
        pauseMs = Math.min(pauseMs * 2, restartPauseMs.last)
        log(error instanceof Error ? error.message : String(error))
      }
    }
  }
}

type Running = { process: GuardedProcess; ended: Promise<string> }

/** Resolves once the server accepts connections. */
function boot(identity: PostgresIdentity, data: string, settings: string[]): Promise<Running> {
  const child = run(identity, 'postgres', ['-D', data, ...settings])
  let lastWords = ''
  return new Promise((resolve, reject) => {
    const ended = new Promise<string>((done) => {
      child.on('error', (error) => done(error.message))
      child.on('exit', (code, signal) => done(`${signal ?? `code ${code}`}`))
    })
    const fail = (end: string) => {
      clearTimeout(timer)
      child.stdin?.destroy()
      reject(databaseFault('started', { folder: data, words: lastWords, end }))
    }
    const timer = setTimeout(fail, bootMs, `no answer within ${bootMs / 1000} s`)
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-2_000)
      // A standby accepts read-only ones.
      if (!/ready to accept (read-only )?connections/.test(lastWords)) return
      clearTimeout(timer)
      resolve({ process: child, ended })
    })
    child.on('error', (error) => fail(error.message))
    // Its last words may come after its end.
    child.on('close', (code, signal) => fail(signal ?? `code ${code}`))
  })
}

/** Fast shutdown: open transactions are rolled back, data is flushed. Immediate shutdown when that takes too long. */
async function halt({ process: child, ended }: Running, data: string): Promise<void> {
  child.stdin?.end()
  const timer = setTimeout(() => {
    const pid = postmasterPid(data)
    if (pid !== undefined) process.kill(pid, 'SIGQUIT')
  }, stopMs)
  await ended
  clearTimeout(timer)
}

/** Creates the database files unless they exist, all or nothing, and answers the superuser's password. */
async function createDatabase(identity: PostgresIdentity, data: string, isDurable: boolean): Promise<string> {
  const passwordFile = path.join(identity.folder, 'password')
  if (existsSync(path.join(data, 'PG_VERSION'))) return readFileSync(passwordFile, 'utf8')
  const unfinished = `${data}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const password = randomBytes(24).toString('hex')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (identity.uid !== undefined && identity.gid !== undefined)
    chownSync(passwordFile, identity.uid, identity.gid)
  const child = run(identity, 'initdb', [
    ...['-D', unfinished, '-U', user, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
    ...['-E', 'UTF8', '--no-locale', '--no-instructions', ...(isDurable ? [] : ['--no-sync'])],
  ])
  let complaint = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  const end = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `code ${code}`)))
  })
  child.stdin?.destroy()
  if (end !== undefined) throw databaseFault('created', { folder: data, words: complaint, end })
  renameSync(unfinished, data)
  return password
}

function run(identity: PostgresIdentity, program: string, args: string[]): GuardedProcess {
  const { uid, gid, prefix, native } = identity
  return guardedProcess([...prefix, path.join(native, 'bin', program), ...args], {
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  })
}
