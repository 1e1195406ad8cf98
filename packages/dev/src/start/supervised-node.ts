import type { ChildProcess } from 'node:child_process'
import { spawnChild } from '../postgres/spawn-child.ts'
import type { LogFile } from './log-file.ts'
import { StartConfigError } from './start-config-error.ts'

/** The process to run: a module of ours, its whole environment, its output, and the receiver of restart reports. */
export type SupervisedNodeInput = {
  entry: string
  environment: Record<string, string>
  log: LogFile
  onDeath: (reason: string) => void
}

/** A Node child that is started again whenever it dies. */
export type SupervisedNode = {
  /** Rejects when the first child dies before `markReady()`, with its last words: starting it again would not help. */
  failure: Promise<never>
  markReady(): void
  pid(): number | undefined
  /** Asks it to end (SIGTERM), insists after 8 s (SIGKILL), and starts it no more. */
  stop(): Promise<void>
}

const insistMs = 8_000
const pauseMs = { first: 50, last: 2_000 }
const stableMs = 10_000

/** Runs and supervises a module. The child holds the far end of a pipe from us and ends when that closes, however we die. */
export function supervisedNode({ entry, environment, log, onDeath }: SupervisedNodeInput): SupervisedNode {
  let child: ChildProcess | undefined
  let isStopping = false
  let isReady = false
  let deaths = 0
  let timer: NodeJS.Timeout | undefined
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  run()

  return {
    failure: failure.promise,
    markReady: () => {
      isReady = true
    },
    pid: () => child?.pid,
    async stop() {
      isStopping = true
      clearTimeout(timer)
      const last = child
      if (last?.pid === undefined || last.exitCode !== null || last.signalCode !== null) return
      await new Promise<void>((resolve) => {
        const insist = setTimeout(() => last.kill('SIGKILL'), insistMs)
        last.once('exit', () => {
          clearTimeout(insist)
          resolve()
        })
        last.kill('SIGTERM')
      })
    },
  }

  function run(): void {
    const startedAt = performance.now()
    let isOver = false
    const over = (reason: string) => {
      if (isOver) return
      isOver = true
      if (isStopping) return
      if (!isReady) return failure.reject(endOf(entry, reason, log))
      onDeath(reason)
      deaths = performance.now() - startedAt > stableMs ? 0 : deaths + 1
      timer = setTimeout(run, deaths === 0 ? 0 : Math.min(pauseMs.first * 2 ** deaths, pauseMs.last))
    }
    child = spawnNode(entry, environment, log)
    child.stdin?.on('error', () => {})
    child.once('error', (error) => over(error.message))
    child.once('exit', (code, signal) => over(signal ?? `exit ${code}`))
  }
}

/** EX_CONFIG and EX_UNAVAILABLE of sysexits: the process has said in one line what is wrong. */
const misconfigured = 'exit 78'
const unusable = 'exit 69'

function endOf(entry: string, reason: string, log: LogFile): Error {
  const tail = log.tail()
  const sentence = tail.split('\n').findLast((line) => line !== '' && !line.startsWith('{'))
  if (reason === misconfigured && sentence !== undefined) return new StartConfigError([sentence])
  if (reason === unusable && sentence !== undefined) return new Error(sentence)
  return new Error(`${entry} ended while starting (${reason})\n${tail}`)
}

// A process group of its own: the terminal's Ctrl-C reaches us alone, and we stop things in order. No signal opens a debugger in it.
const spawnNode = (entry: string, env: Record<string, string>, { descriptor }: LogFile): ChildProcess =>
  spawnChild(process.execPath, ['--disable-sigusr1', entry], {
    env,
    detached: true,
    stdio: ['pipe', descriptor, descriptor],
  })
