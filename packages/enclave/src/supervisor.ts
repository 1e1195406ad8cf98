import { type ChildProcess, spawn } from 'node:child_process'
import type { EnclaveLog } from './enclave-log.ts'
import { enclaveCommand } from './process-guard.ts'

/**
 * `entry` is the module to run as the enclave, `args` its arguments, `environment` all of its environment (none by
 * default: secrets never travel that way). Lines of its standard error go to `onLine`.
 */
export type SupervisorInput = {
  entry: string
  args: readonly string[]
  environment?: Record<string, string>
  log: EnclaveLog
  onLine?: (line: string) => void
}

/** A child process that is started again whenever it dies. */
export type Supervisor = {
  /**
   * Resolves when the enclave first says that it serves. Rejects when it is stopped before, or with its last words
   * when the first five attempts fail; it is tried further all the same.
   */
  ready: Promise<void>
  pid(): number | undefined
  /** Ends the child and starts it no more. */
  stop(): Promise<void>
}

const pauseFirstMs = 50
const pauseMaxMs = 2_000
const stableMs = 10_000
const attemptsMax = 5
/** What an enclave entry writes to standard output once it serves. */
export const readyLine = 'serving\n'

/**
 * Runs the enclave as a child with the hardening flags of `enclaveNodeArguments`. The first restart is immediate,
 * the following ones wait 50 ms, 100 ms … 2 s until a child has lived for 10 s. The child dies with this process,
 * also with a killed one: it reads a pipe that only this process holds.
 */
export function superviseEnclave(input: SupervisorInput): Supervisor {
  let child: ChildProcess | undefined
  let isStopped = false
  let restarts = 0
  let lastLine = ''
  let timer: NodeJS.Timeout | undefined
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => {})
  const killChild = () => child?.kill('SIGKILL')
  process.once('exit', killChild)
  start()

  return {
    ready: ready.promise,
    pid: () => child?.pid,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      process.removeListener('exit', killChild)
      ready.reject(new Error('enclave stopped'))
      const last = child
      if (last === undefined || last.exitCode !== null || last.signalCode !== null) return
      await new Promise<void>((resolve) => {
        last.once('exit', () => resolve())
        last.kill('SIGKILL')
      })
    },
  }

  function start(): void {
    const command = enclaveCommand(input.entry, input.args)
    const startedAtMs = performance.now()
    const started = spawn(command.file, command.args, {
      // A process group of its own: the terminal's Ctrl-C must not end it before those who still need it.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: input.environment ?? {},
    })
    child = started
    let isEnded = false
    started.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes(readyLine)) ready.resolve()
    })
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n')) {
        if (line === '') continue
        lastLine = line
        input.onLine?.(line)
      }
    })
    started.stdin.on('error', () => {})
    const ended = (reason: string) => {
      if (isEnded) return
      isEnded = true
      if (!isStopped) restart(reason, performance.now() - startedAtMs)
    }
    started.once('error', (error) => ended(error.message))
    started.once('exit', (code, signal) => ended(signal ?? `exit ${code}`))
  }

  function restart(reason: string, livedMs: number): void {
    if (livedMs >= stableMs) restarts = 0
    const pauseMs = restarts === 0 ? 0 : Math.min(pauseFirstMs * 2 ** (restarts - 1), pauseMaxMs)
    restarts += 1
    if (restarts === attemptsMax) ready.reject(new Error(`the enclave does not start: ${lastLine || reason}`))
    input.log('enclave died', { reason, pauseMs })
    timer = setTimeout(start, pauseMs)
  }
}
