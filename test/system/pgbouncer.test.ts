import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reachableDatabase } from '@symbolon/dev/testing/platform'
import { freePort } from '@symbolon/dev/testing/postgres'
import { openPool, PoolerError, refusePooler } from '@symbolon/server/pool'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'

const program = '/usr/sbin/pgbouncer'
const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-pgbouncer-'))
const running: ChildProcess[] = []
let database: TestDatabase
let isTracking: boolean

beforeAll(async () => {
  const { stdout, error } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (error !== undefined)
    throw new Error('These tests need the package pgbouncer: apt-get install pgbouncer')
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? []
  isTracking = Number(major) > 1 || Number(minor) >= 21
  chmodSync(folder, 0o755)
  database = await testDatabase()
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts pgbouncer before the test's database; the URL through it. */
async function pgbouncer(mode: 'transaction' | 'session', more = ''): Promise<string> {
  const port = await freePort()
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  const file = path.join(folder, `${port}.ini`)
  const isRoot = process.getuid?.() === 0
  writeFileSync(
    file,
    `[databases]
${name} = host=${url.hostname} port=${url.port} user=${url.username} password=${url.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 3
${isTracking ? 'max_prepared_statements = 100' : ''}
${isRoot ? 'user = nobody' : ''}
${more}
`,
  )
  const child = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'] })
  running.push(child)
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  void once(child, 'exit').then(() => {
    said += ' (ended)'
  })
  while (!said.includes('process up')) {
    if (said.includes('(ended)')) throw new Error(`pgbouncer did not start: ${said}`)
    await sleep(20)
  }
  url.port = String(port)
  return url.href
}

// What an operator adds who wants the session's settings to be passed over.
const ignoring =
  'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options'

test.each(['', ignoring])(
  'one in transaction mode is taken from 1.21 on, and refused by name before (%s)',
  async (more) => {
    const url = await pgbouncer('transaction', more)
    for (let i = 0; i < 10; i++) {
      const refusal = await refusePooler(url).catch((error: unknown) => error)
      if (isTracking) expect(refusal).toBeUndefined()
      else expect(refusal).toBeInstanceOf(PoolerError)
    }
    if (isTracking) expect(await reachableDatabase(url)).toBe(url)
    else await expect(reachableDatabase(url)).rejects.toThrow(/pooler in transaction mode.*pgbouncer 1\.21/)
  },
)

test.each(['', ignoring])(
  'one in session mode is taken, and serves statements and transactions (%s)',
  async (more) => {
    const url = await pgbouncer('session', more)
    expect(await reachableDatabase(url)).toBe(url)
    const sql = openPool(url, { connectionsMax: 3 })
    const asked = Array.from({ length: 60 }, async (_, n) => {
      const [own] = await sql<{ n: number }[]>`select ${n}::integer as n`
      const inside = await sql.begin(
        async (tx) => (await tx<{ n: number }[]>`select ${n}::integer as n`)[0]?.n,
      )
      return [own?.n, inside]
    })
    expect(await Promise.all(asked)).toEqual(asked.map((_, n) => [n, n]))
    await sql.end()
  },
)
