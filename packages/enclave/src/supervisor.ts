import { type ChildProcess, spawn } from 'node:child_process'
import type { EnclaveLog } from './enclave-log.ts'
import { enclaveCommand } from './process-guard.ts'
import type { EnclaveWatch } from './watch-enclave.ts'

/**
 * `entry` is the module to run as the enclave, `args` its arguments, `environment` all of its environment (none by
 * default: secrets never travel that way). Lines of its standard error go to `onLine`. `watchedSocket` is where it listens: one that is
 * sealed there, or stuck, is ended and started again; without it, only a dead one is.
 */
export type SupervisorInput = {
  entry: string
  args: readonly string[]
  environment?: Record<string, string>
  log: EnclaveLog
  onLine?: (line: string) => void
  watchedSocket?: string
}

/** A child process that is started again whenever it dies, or has to. */
export type Supervisor = {
  /**
   * Resolves when the enclave first serves. Rejects if it is stopped before that, or with its last line when the first
   * five starts fail; further starts follow all the same.
   */
  ready: Promise<void>
  pid(): number | undefined
  /** Ends the child and starts it no more. */
  stop(): Promise<void>
}

const pauseFirstMs = 50
const pauseMaxMs = 2_000
const stableMs = 10_000
const failedStartsMax = 5
/** What an enclave entry writes to standard output once it serves. */
export const readyLine = 'serving\n'

/** A supervised enclave: the child that runs, or ran last, and what its restarts have to know. */
type Supervised = {
  readonly input: SupervisorInput
  readonly ready: PromiseWithResolvers<void>
  child: ChildProcess | undefined
  isStopped: boolean
  restarts: number
  lastLine: string
  timer: NodeJS.Timeout | undefined
  watch: EnclaveWatch | undefined
}

/**
 * Runs the enclave as a child with the hardening flags of `enclaveNodeArguments`. The first restart is immediate,
 * the following ones wait 50 ms, 100 ms … 2 s until a child has lived for 10 s. The child dies with this process,
 * also with a killed one: it reads a pipe that only this process holds.
 */
export function superviseEnclave(input: SupervisorInput): Supervisor {
  const supervised: Supervised = {
    input,
    ready: Promise.withResolvers<void>(),
    child: undefined,
    isStopped: false,
    restarts: 0,
    lastLine: '',
    timer: undefined,
    watch: undefined,
  }
  supervised.ready.promise.catch(() => {})
  const killChild = () => supervised.child?.kill('SIGKILL')
  process.once('exit', killChild)
  start(supervised)
  return {
    ready: supervised.ready.promise,
    pid: () => supervised.child?.pid,
    async stop() {
      supervised.isStopped = true
      clearTimeout(supervised.timer)
      supervised.watch?.stop()
      process.removeListener('exit', killChild)
      supervised.ready.reject(new Error('enclave stopped'))
      const last = supervised.child
      if (last?.pid === undefined || last.exitCode !== null || last.signalCode !== null) return
      await new Promise<void>((resolve) => {
        last.once('exit', () => resolve())
        last.kill('SIGKILL')
      })
    },
  }
}

function start(supervised: Supervised): void {
  const startedAtMs = performance.now()
  let isEnded = false
  let endedFor: string | undefined
  const ended = (reason: string) => {
    if (isEnded) return
    isEnded = true
    supervised.watch?.stop()
    if (!supervised.isStopped) restart(supervised, reason, performance.now() - startedAtMs)
  }
  try {
    const child = spawnEnclave(supervised.input)
    supervised.child = child
    child.once('error', (error) => ended(error.message))
    child.once('exit', (code, signal) => ended(endedFor ?? signal ?? `exit ${code}`))
    listen(supervised, child)
    watch(supervised, (fault) => {
      endedFor = fault
      // A stopped process does not hear anything milder.
      child.kill('SIGKILL')
    }).catch((error: unknown) => supervised.input.log('enclave not watched', { error: String(error) }))
  } catch (error) {
    // Where there is no memory for another process, `spawn` throws.
    ended(error instanceof Error ? error.message : 'unknown')
  }
}

async function watch(supervised: Supervised, onFault: (fault: string) => void): Promise<void> {
  const { watchedSocket: socketPath } = supervised.input
  if (socketPath === undefined) return
  const { child } = supervised
  // Not before: the first start does not wait for what this needs to load.
  const { watchEnclave } = await import('./watch-enclave.ts')
  const isOver = child?.exitCode !== null || child.signalCode !== null
  if (supervised.isStopped || supervised.child !== child || isOver) return
  supervised.watch = watchEnclave({ socketPath, onFault })
}

function spawnEnclave({ entry, args, environment = {} }: SupervisorInput): ChildProcess {
  const command = enclaveCommand(entry, args)
  return spawn(command.file, command.args, {
    // A process group of its own: the terminal's Ctrl-C must not end it before those who still need it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environment,
  })
}

/** Reads what the child writes. Without file descriptors for them there are no pipes. */
function listen(supervised: Supervised, { stdin, stdout, stderr }: ChildProcess): void {
  stdout?.on('data', (chunk: Buffer) => {
    if (chunk.includes(readyLine)) supervised.ready.resolve()
  })
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) {
      if (line === '') continue
      supervised.lastLine = line
      supervised.input.onLine?.(line)
    }
  })
  stdin?.on('error', () => {})
}

function restart(supervised: Supervised, reason: string, livedMs: number): void {
  if (livedMs >= stableMs) supervised.restarts = 0
  const { restarts, input, ready } = supervised
  const pauseMs = restarts === 0 ? 0 : Math.min(pauseFirstMs * 2 ** (restarts - 1), pauseMaxMs)
  supervised.restarts += 1
  if (supervised.restarts === failedStartsMax) {
    ready.reject(new Error(`the enclave does not start: ${supervised.lastLine || reason}`))
  }
  input.log('enclave died', { reason, pauseMs })
  supervised.timer = setTimeout(() => start(supervised), pauseMs)
}
