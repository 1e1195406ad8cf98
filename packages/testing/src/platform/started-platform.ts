import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isAlive } from '@symbolon/dev/testing/postgres'

const root = path.resolve(import.meta.dirname, '../../../..')

/** What `dev.json` says, as far as tests read it. */
export type DevJson = {
  base_url: string
  portal_url: string
  portal: { email: string }
  demo_url: string
  metrics_url: string
  frame_url: string
  organizations: Record<
    'client' | 'tee',
    { id: string; publishable_key: string; secret_key: string; read_key: string }
  >
  chain?: { handle: string; chain_id: number; rpc_url: string; bundler_url: string; paymaster_url: string }
  chains: { handle: string; chain_id: number; rpc_url: string }[]
}

/** A platform started as `npm start` does, in a process of its own, behind the launcher. */
export type StartedPlatform = {
  launcher: ChildProcess
  dataFolder: string
  port: number
  /** All it has printed so far. */
  output(): string
  /** Resolves when the table is printed; rejects when it ends before. */
  ready(): Promise<DevJson>
  /** Resolves with the exit code. */
  ended(): Promise<number | null>
}

/** Makes a folder for the data of one or more starts; `remove` deletes it. */
export function dataFolder(): { path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-start-'))
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Starts the platform on a free port. */
export async function startedPlatform(options: {
  dataFolder: string
  port?: number
  environment?: Record<string, string>
  options?: readonly string[]
}): Promise<StartedPlatform> {
  const port = options.port ?? (await freePort())
  const launcher = spawn(
    process.execPath,
    ['scripts/node.mjs', 'scripts/run.ts', 'start', ...(options.options ?? [])],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        SYMBOLON_DATA_DIR: options.dataFolder,
        PORT: String(port),
        WORKERS: '2',
        // Most of what a start has to do is quicker to watch without.
        SYMBOLON_CHAIN: 'off',
        ...options.environment,
      },
    },
  )
  let output = ''
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const exit = once(launcher, 'exit').then(([code]) => code as number | null)
  return {
    launcher,
    dataFolder: options.dataFolder,
    port,
    output: () => output,
    ended: () => exit,
    async ready() {
      let hasEnded = false
      void exit.then(() => {
        hasEnded = true
      })
      while (!output.includes('Symbolon is ready')) {
        if (hasEnded) throw new Error(`It ended before it was ready: ${output}`)
        await sleep(10)
      }
      return JSON.parse(readFileSync(path.join(options.dataFolder, 'dev.json'), 'utf8')) as DevJson
    },
  }
}

/** All processes below one, with their command lines. Linux only, as all that reads /proc. */
export function descendants(pid: number): { pid: number; command: string }[] {
  const parents = new Map<number, { ppid: number; command: string }>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      parents.set(Number(name), { ppid, command })
    } catch {
      // It has just ended.
    }
  }
  const below = (top: number): { pid: number; command: string }[] =>
    [...parents].flatMap(([child, { ppid, command }]) =>
      ppid === top ? [{ pid: child, command }, ...below(child)] : [],
    )
  return below(pid)
}

/** Resolves once none of the processes is alive; rejects with those that still are. Ended ones nobody waited for do not count. */
export async function allGone(pids: readonly number[], withinMs = 15_000): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const left = pids.filter(isAlive)
    if (left.length === 0) return
    if (performance.now() > deadline) throw new Error(`Still alive: ${left.join(', ')}`)
    await sleep(20)
  }
}
