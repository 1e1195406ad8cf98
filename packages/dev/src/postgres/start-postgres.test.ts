import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openPool, type Sql } from '@symbolon/server/pool'
import { until } from '@symbolon/testing/wait'
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { postgresIdentity } from './postgres-identity.ts'
import { isAlive } from './postmaster-pid.ts'
import { type Postgres, type PostgresOptions, startPostgres } from './start-postgres.ts'

const home = mkdtempSync(path.join(tmpdir(), 'symbolon-pg-'))
const running: Postgres[] = []
let folders = 0

afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const newFolder = () => {
  folders += 1
  return path.join(home, `${folders}`)
}

async function start(folder: string, options: Partial<PostgresOptions> = {}): Promise<Postgres> {
  const server = await startPostgres({ folder, isDurable: false, ...options })
  running.push(server)
  return server
}

async function query<T>(url: string, run: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openPool(url, { connectionsMax: 1, isPatient: true })
  try {
    return await run(sql)
  } finally {
    await sql.end()
  }
}

const answers = (url: string) =>
  query(url, async (sql) => (await sql`select 1`).length === 1).catch(() => false)

test('data survives a clean restart, which is quick', async () => {
  const folder = newFolder()
  const first = await start(folder)
  await query(first.url, (sql) => sql`create table kept as select 42 as n`)
  await first.stop()
  expect(first.pid()).toBeUndefined()
  const startedAt = performance.now()
  const second = await start(folder)
  expect(performance.now() - startedAt).toBeLessThan(3_000)
  expect(await query(second.url, (sql) => sql`select n from kept`)).toEqual([{ n: 42 }])
})

test('only the password opens it', async () => {
  const server = await start(newFolder())
  const url = new URL(server.url)
  url.password = 'wrong'
  await expect(query(url.href, (sql) => sql`select 1`)).rejects.toMatchObject({ code: '28P01' })
  expect(statSync(path.join(server.data, '..', 'password')).mode & 0o077).toBe(0)
})

test('acknowledged commits are durable, by setting', async () => {
  const server = await start(newFolder(), { isDurable: true })
  const settings = await query(
    server.url,
    (sql) => sql`select name, setting from pg_settings where name in
      ('fsync', 'synchronous_commit', 'full_page_writes', 'max_parallel_workers_per_gather') order by name`,
  )
  expect(settings.map(({ name, setting }) => `${name}=${setting}`)).toEqual([
    'fsync=on',
    'full_page_writes=on',
    'max_parallel_workers_per_gather=0',
    'synchronous_commit=on',
  ])
})

test('a killed server comes back by itself at the same address with all committed rows', async () => {
  const server = await start(newFolder())
  await query(server.url, (sql) => sql`create table kept (n int)`)
  for (let round = 1; round <= 3; round += 1) {
    await query(server.url, (sql) => sql`insert into kept values (${round})`)
    const killed = server.pid() ?? 0
    process.kill(killed, 'SIGKILL')
    await until(async () => server.pid() !== killed && (await answers(server.url)))
    expect(await query(server.url, (sql) => sql`select count(*)::int as n from kept`)).toEqual([{ n: round }])
  }
})

test('a server whose guard was killed is replaced', async () => {
  const server = await start(newFolder())
  const before = server.pid() ?? 0
  const guard = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${before}/status`, 'utf8'))?.[1])
  process.kill(guard, 'SIGKILL')
  await until(async () => server.pid() !== before && (await answers(server.url)))
  await until(() => !isAlive(before))
})

test('kill -9 of the parent leaves no server behind and loses nothing', async () => {
  const folder = newFolder()
  const script = `
    import { startPostgres } from ${JSON.stringify(new URL('./start-postgres.ts', import.meta.url).href)}
    const server = await startPostgres({ folder: ${JSON.stringify(folder)}, isDurable: false })
    console.log(JSON.stringify({ url: server.url, pid: server.pid() }))`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const { url, pid } = JSON.parse(String(line)) as { url: string; pid: number }
  await query(url, (sql) => sql`create table kept as select 42 as n`)
  parent.kill('SIGKILL')
  const server = await start(folder)
  // It gives its pid file up, which lets the next one start, before its process has ended.
  await until(() => !isAlive(pid))
  expect(await query(server.url, (sql) => sql`select n from kept`)).toEqual([{ n: 42 }])
})

test('a second server on the same folder is refused by name', async () => {
  const folder = newFolder()
  const server = await start(folder)
  await expect(start(folder)).rejects.toThrow(`in use by process ${server.pid()}`)
}, 20_000)

test('a pid file whose server is dead and reaped by nobody does not stop the start', async () => {
  const folder = newFolder()
  const first = await start(folder)
  await first.stop()
  // The shell becomes a program that never waits for its children; the child ends only then, lest the shell itself waits for it.
  const child = 'until grep -q sleep /proc/$PPID/comm; do :; done'
  const parent = spawn('/bin/sh', ['-c', `sh -c '${child}' & echo $!; exec sleep 60`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [line] = await once(parent.stdout, 'data')
  const zombie = Number(String(line))
  await until(() => readFileSync(`/proc/${zombie}/stat`, 'utf8').includes(') Z '))
  writeFileSync(path.join(first.data, 'postmaster.pid'), `${zombie}\n${first.data}\n`)
  expect(await answers((await start(folder)).url)).toBe(true)
})

test('a pid file whose number a stranger got meanwhile does not stop the start', async () => {
  const folder = newFolder()
  const first = await start(folder)
  await first.stop()
  writeFileSync(path.join(first.data, 'postmaster.pid'), `${process.ppid}\n${first.data}\n`)
  const second = await start(folder)
  expect(await answers(second.url)).toBe(true)
})

test('an interrupted creation is begun anew', async () => {
  const folder = newFolder()
  mkdirSync(path.join(folder, 'data.new', 'base'), { recursive: true })
  const server = await start(folder)
  expect(await answers(server.url)).toBe(true)
  expect(existsSync(`${server.data}.new`)).toBe(false)
})

test('it runs below a directory that only its owner may enter', async () => {
  const closed = newFolder()
  mkdirSync(closed, { mode: 0o700 })
  const server = await start(path.join(closed, 'postgres'))
  expect(await answers(server.url)).toBe(true)
  const uid = Number(/^Uid:\s+\d+\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))?.[1])
  expect(uid).toBe(process.getuid?.())
})

/** Starts a server in a process that may not write files above this size, as on a full disk; answers what it says. */
async function startWithin(blocks: number, folder: string): Promise<string> {
  const module = new URL('./start-postgres.ts', import.meta.url).href
  const program = `
    const { startPostgres } = await import(${JSON.stringify(module)})
    await startPostgres({ folder: ${JSON.stringify(folder)}, isDurable: false }).then(
      () => console.log('It has started.'),
      ({ message }) => console.log(message))
    process.exit()`
  const limited = [
    '-c',
    `ulimit -f ${blocks}; exec "$@"`,
    'sh',
    process.execPath,
    '--input-type=module',
    '-e',
  ]
  const child = spawn('/bin/sh', [...limited, program], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  await once(child, 'close')
  return said
}

test('a disk that takes no database is one sentence with the folder and the cause, and the next start begins anew', async () => {
  const folder = newFolder()
  // 1 MiB: less than a segment of the write-ahead log.
  expect(await startWithin(2_048, folder)).toMatch(
    /^The database in \S+\/data could not be created: could not [^\n]+: File too large\.\n$/,
  )
  expect(await answers((await start(folder)).url)).toBe(true)
})

test('a server that cannot be started at all is one sentence too', async () => {
  const folder = newFolder()
  const identity: typeof postgresIdentity = (...given) => ({
    ...postgresIdentity(...given),
    // More than Linux takes as one argument: `spawn` throws.
    prefix: ['x'.repeat(1_000_000)],
  })
  await expect(start(folder, { identity })).rejects.toThrow(
    /^The database in \S+ could not be created: spawn E2BIG\.$/,
  )
  await (await start(folder)).stop()
  await expect(start(folder, { identity })).rejects.toThrow(
    /^The database in \S+ could not be started: spawn E2BIG\.$/,
  )
})
