import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '@symbolon/dev/testing/postgres'
import { allGone, descendants } from '@symbolon/testing/platform'
import { afterAll, afterEach, expect, test } from 'vitest'

const launcher = path.resolve(import.meta.dirname, 'node.mjs')
const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-launcher-'))
// It ends at a signal, as the platform does, and has a unique name.
const sleeper = path.join(folder, 'sleeper.mjs')
writeFileSync(sleeper, `process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1_000)`)
writeFileSync(
  path.join(folder, 'package.json'),
  JSON.stringify({
    name: 'x',
    scripts: {
      start: `node ${launcher} ${sleeper}`,
      service: `node ${launcher} --outlive ${sleeper}`,
    },
  }),
)

let top: ChildProcess | undefined
let pids: number[] = []

afterEach(() => {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It is gone, as it should be.
    }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a shell's line that starts npm, and waits for the sleeper below it. */
async function run(line: string): Promise<{ npm: number; all: number[] }> {
  top = spawn('/bin/sh', ['-c', line], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] })
  for (let i = 0; i < 1_000; i++) {
    const found = descendants(top.pid ?? 0)
    pids = found.map(({ pid }) => pid)
    const isUp = found.some(({ command }) => command.includes('sleeper.mjs') && !command.includes('node.mjs'))
    const npm = found.find(({ command }) => /^npm (start|run)|npm-cli|bin\/npm/.test(command))
    if (isUp && npm !== undefined) return { npm: npm.pid, all: pids.filter((pid) => pid !== top?.pid) }
    await sleep(10)
  }
  throw new Error('the sleeper did not start')
}

// dash stays between npm and us, bash replaces itself with the command.
const shells = ['/bin/sh', '/bin/bash']

test.each(shells)('kill -9 of npm ends what it runs, with its scripts in %s', async (shell) => {
  const { npm, all } = await run(`npm start --silent --script-shell=${shell}; true`)
  process.kill(npm, 'SIGKILL')
  await allGone(all, 5_000)
})

test.each(shells)(
  'the end of the shell that put npm into the background ends nothing, with its scripts in %s',
  async (shell) => {
    const { all } = await run(`npm start --silent --script-shell=${shell} & read line`)
    top?.stdin?.end('\n')
    if (top !== undefined) await once(top, 'exit')
    await sleep(1_500)
    await expect(allGone(all, 0)).rejects.toThrow(`Still alive: ${all.join(', ')}`)
  },
)

test('a service outlives npm, and ends by a signal', async () => {
  const { npm, all } = await run('npm run service --silent; true')
  process.kill(npm, 'SIGKILL')
  const others = all.filter((pid) => pid !== npm)
  await allGone([npm])
  // Longer than the launcher of another program takes to see it.
  await sleep(1_500)
  const left = others.filter(isAlive)
  expect(left.length).toBeGreaterThanOrEqual(2)
  for (const pid of left) process.kill(pid, 'SIGTERM')
  await allGone(left, 5_000)
})

test('a repository whose packages have no Node that is new enough ends with one sentence, and an install goes on', () => {
  // For a system without a package: the launcher alone, with a preload that makes it see an old Node.
  const scripts = path.join(folder, 'elsewhere/scripts')
  mkdirSync(scripts, { recursive: true })
  for (const file of ['node.mjs', 'choose-node.mjs'])
    cpSync(path.join(path.dirname(launcher), file), path.join(scripts, file))
  const preload = path.join(folder, 'old.mjs')
  writeFileSync(
    preload,
    `for (const [name, value] of Object.entries({ platform: 'sunos', version: 'v20.20.2' }))
       Object.defineProperty(process, name, { value })`,
  )
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', preload, path.join(scripts, 'node.mjs'), ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    })
  const problem = new RegExp(
    `^Symbolon needs Node 24\\.21 or newer, this is v20\\.20\\.2, and npm has none for sunos-${process.arch}: install it from https://nodejs\\.org\\.\n$`,
  )
  const start = run(sleeper)
  expect(start).toMatchObject({ status: 1, stdout: '' })
  expect(start.stderr).toMatch(problem)
  const install = run('--if-there', sleeper, '--at-install')
  expect(install).toMatchObject({ status: 0, stderr: '' })
  expect(install.stdout).toMatch(/^\S+sleeper\.mjs was not run\. Symbolon needs Node 24\.21 or newer.+\n$/)
})

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s in the instant in which the launcher has made its child ends the child too',
  async (signal) => {
    const preload = path.join(folder, 'signaled.mjs')
    writeFileSync(
      preload,
      `import childProcess from 'node:child_process'
       import { syncBuiltinESMExports } from 'node:module'
       const { spawn } = childProcess
       childProcess.spawn = (...all) => {
         const child = spawn(...all)
         process.stdout.write(child.pid + '\\n')
         process.kill(process.pid, '${signal}')
         return child
       }
       syncBuiltinESMExports()`,
    )
    const { stdout, pid = 0 } = spawn(process.execPath, ['--import', preload, launcher, sleeper], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = await once(stdout, 'data')
    pids = [pid, Number(said)]
    await allGone(pids, 5_000)
  },
)

test('SIGUSR1 opens no debugger in the launcher', async () => {
  const { pid = 0, stderr } = spawn(process.execPath, [launcher, sleeper], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  stderr.on('data', (chunk) => {
    said += chunk
  })
  await expect.poll(() => descendants(pid).length).toBe(1)
  pids = [pid, ...descendants(pid).map((child) => child.pid)]
  process.kill(pid, 'SIGUSR1')
  await sleep(1_000)
  expect(said).toBe('')
  process.kill(pid, 'SIGTERM')
  await allGone(pids, 5_000)
})

test('what Node made of a script is kept for the next run, unless it runs as a service', () => {
  const asks = path.join(folder, 'asks.mjs')
  writeFileSync(
    asks,
    `import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir() ?? 'nowhere')`,
  )
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const said = (...options: string[]) =>
    spawnSync(process.execPath, [launcher, ...options, asks], { env, encoding: 'utf8' }).stdout.trim()
  expect(said()).toContain(path.resolve(import.meta.dirname, '../node_modules/.cache/compiled'))
  expect(said('--outlive')).toBe('nowhere')
})
