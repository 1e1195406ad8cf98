import type { ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { spawnChild } from '../postgres/spawn-child.ts'
import { devKeys, entryPoint } from './chain-constants.ts'
import type { JsonRpc } from './json-rpc.ts'

const require = createRequire(import.meta.url)
/** Two megabytes of young objects are enough, and save sixty of memory. */
const flags = [
  // It has the keys of its executors: no signal opens a debugger in it.
  '--disable-sigusr1',
  '--max-semi-space-size=2',
  ...['--import', new URL('./bundler-preload.ts', import.meta.url).href],
]
const bootMs = 30_000
const pauseMs = { first: 50, last: 2_000 }
const stableMs = 10_000

/** The program and its chain; `folder` must be empty, as the program reads settings from it. */
export type BundlerOptions = {
  rpcUrl: string
  port: number
  /** A client of the bundler itself. */
  rpc: JsonRpc
  paymaster: Hex
  folder: string
  /** Keeps compiled code between two starts. */
  cacheFolder: string
  log: (line: string) => void
  /** Called with the process id whenever it is started. */
  onStart?: (pid: number) => void
}

/** An ERC-4337 bundler that is started again whenever it dies. */
export type BundlerProcess = {
  /** It may begin to talk to the chain. */
  go(): void
  /** Resolves once it serves; rejects when it does not come up. */
  ready(): Promise<void>
  /** Kills it (SIGKILL) and leaves it dead until `start()`. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts alto as a program of its own, its modules loading while the chain comes up. */
export function bundlerProcess(options: BundlerOptions): BundlerProcess {
  let child: ChildProcess | undefined
  let mayGo = false
  let isWanted = true
  let deaths = 0
  let timer: NodeJS.Timeout | undefined
  const ready = () => untilServed(options, () => isWanted)
  run()

  return {
    go() {
      mayGo = true
      child?.stdin?.write('go\n')
    },
    ready,
    kill: end,
    async start() {
      isWanted = true
      if (child === undefined) run()
      await ready()
    },
    stop: end,
  }

  function run(): void {
    const startedAt = performance.now()
    const started = spawnBundler(options)
    child = started
    if (started.pid !== undefined) options.onStart?.(started.pid)
    started.stdin?.on('error', () => {})
    if (mayGo) started.stdin?.write('go\n')
    let isOver = false
    const over = (reason: string) => {
      if (isOver) return
      isOver = true
      child = undefined
      if (!isWanted) return
      options.log(`the bundler stopped (${reason}), restarting it`)
      deaths = performance.now() - startedAt > stableMs ? 0 : deaths + 1
      timer = setTimeout(run, Math.min(pauseMs.first * 2 ** deaths, pauseMs.last))
    }
    started.once('error', (error) => over(error.message))
    started.once('exit', (code, signal) => over(signal ?? `exit ${code}`))
  }

  async function end(): Promise<void> {
    isWanted = false
    clearTimeout(timer)
    const ending = child
    if (ending === undefined) return
    await new Promise<void>((resolve) => {
      ending.once('exit', () => resolve())
      ending.kill('SIGKILL')
    })
  }
}

function spawnBundler(options: BundlerOptions): ChildProcess {
  const started = spawnChild(process.execPath, [...flags, program(), ...settings(options)], {
    cwd: options.folder,
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: options.folder,
      OTEL_SDK_DISABLED: 'true',
      NODE_COMPILE_CACHE: options.cacheFolder,
    },
    // A process group of its own: the terminal's Ctrl-C is for us.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  for (const stream of [started.stdout, started.stderr])
    stream?.on('data', (chunk: Buffer) => options.log(`bundler: ${chunk.toString().trimEnd()}`))
  return started
}

async function untilServed(options: BundlerOptions, isWanted: () => boolean): Promise<void> {
  const deadline = performance.now() + bootMs
  for (;;) {
    const isUp = await options.rpc.call<Hex[]>('eth_supportedEntryPoints').then(
      (supported) => supported.includes(entryPoint.address),
      () => false,
    )
    if (isUp) return
    if (!isWanted()) throw new Error('the bundler was stopped while starting')
    if (performance.now() > deadline) throw new Error(`the bundler did not start within ${bootMs / 1000} s`)
    await sleep(20)
  }
}

function program(): string {
  return path.join(path.dirname(require.resolve('@pimlico/alto')), 'cli', 'alto.js')
}

function settings({ rpcUrl, port, paymaster }: BundlerOptions): string[] {
  const values = {
    entrypoints: entryPoint.address,
    'rpc-url': rpcUrl,
    port,
    'executor-private-keys': devKeys.bundlerExecutors.join(','),
    'utility-private-key': devKeys.bundlerUtility,
    'min-executor-balance': 0,
    'utility-wallet-monitor': false,
    // Off: it needs a tracer that the node does not have.
    'safe-mode': false,
    'deploy-simulations-contract': true,
    'enable-debug-endpoints': true,
    'min-bundle-interval': 50,
    'max-bundle-interval': 250,
    'block-time': 200,
    'block-number-cache-ttl': 100,
    'mempool-max-queued-ops': 5,
    'expiration-check': true,
    // In percent. It reckons with a base fee that sinks by an eighth with every empty block; ours stays where it was put.
    'gas-price-bump': 125,
    // Otherwise it simulates all queued operations of a paymaster before an estimate: one that fails fails them all.
    'ignored-paymasters': paymaster,
    'log-level': 'error',
    // It calls every refused operation an error of its own.
    'public-client-log-level': 'fatal',
    'rpc-log-level': 'fatal',
    'wallet-client-log-level': 'fatal',
  }
  return ['run', ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)])]
}
