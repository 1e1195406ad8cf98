import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, type Postgres, startPostgres } from '@symbolon/dev/testing/postgres'
import { primarySettings, startStandby } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDatabaseUnavailable, openPool, type Sql } from './pool.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-hosts-'))
let primary: Postgres
let standby: Postgres
let nobody: number

beforeAll(async () => {
  chmodSync(folder, 0o755)
  nobody = await freePort()
  primary = await startPostgres({
    folder: path.join(folder, 'a'),
    isDurable: false,
    settings: primarySettings,
  })
  standby = await startStandby(primary, path.join(folder, 'b'))
  const sql = openPool(primary.url, { connectionsMax: 1 })
  await sql`create table kept (n integer)`
  await sql.end()
}, 60_000)
afterAll(async () => {
  await Promise.all([primary.stop(), standby.stop()])
  rmSync(folder, { recursive: true, force: true })
})

const portOf = ({ url }: Postgres) => Number(new URL(url).port)

/** A pool over these ports, in this order. */
function over(ports: number[], demand: string): Sql {
  const { username, password } = new URL(primary.url)
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join()
  const query = demand === '' ? '' : `?target_session_attrs=${demand}`
  return openPool(`postgres://${username}:${password}@${hosts}/postgres${query}`, { connectionsMax: 2 })
}

const portIn = async (sql: Sql) => (await sql<{ port: number }[]>`select inet_server_port() as port`)[0]?.port

test.each([
  ['', 'standby'],
  ['any', 'standby'],
  ['read-write', 'primary'],
  ['primary', 'primary'],
  ['read-only', 'standby'],
  ['standby', 'standby'],
  ['prefer-standby', 'standby'],
])('of a dead host, a standby and a primary, target_session_attrs=%s takes the %s', async (demand, taken) => {
  for (const ports of [
    [nobody, portOf(standby), portOf(primary)],
    [portOf(standby), nobody, portOf(primary)],
  ]) {
    const sql = over(ports, demand)
    expect(await portIn(sql)).toBe(portOf(taken === 'primary' ? primary : standby))
    await sql.end()
  }
})

test('statements are refused as unavailable when no server suits, but prefer-standby takes the primary', async () => {
  for (const [ports, demand] of [
    [[portOf(standby)], 'read-write'],
    [[portOf(primary)], 'standby'],
    [[nobody], 'any'],
  ] as const) {
    const sql = over([...ports], demand)
    await expect(portIn(sql)).rejects.toSatisfy(isDatabaseUnavailable)
    await sql.end()
  }
  const sql = over([portOf(primary)], 'prefer-standby')
  expect(await portIn(sql)).toBe(portOf(primary))
  await sql.end()
})

test('a server that begins to refuse writes is left at the first refusal', async () => {
  const readOnly = over([portOf(primary)], 'any')
  await readOnly`set default_transaction_read_only = on`
  await expect(readOnly`insert into kept values (2)`).rejects.toMatchObject({ code: '25006' })
  // Its setting went with the connection.
  await readOnly`insert into kept values (3)`
  await readOnly.end()
})

test('after a promotion the pool writes to the new primary, and misses nothing that the old one had confirmed to it', async () => {
  const sql = over([portOf(primary), portOf(standby)], 'read-write')
  const promoted = openPool(standby.url, { connectionsMax: 1 })
  await sql`truncate kept`
  await sql`insert into kept select generate_series(1, 100)`
  const count = async (pool: Sql) =>
    (await pool<{ n: number }[]>`select count(*)::integer as n from kept`)[0]?.n
  while ((await count(promoted)) !== 100) await sleep(20)

  await primary.stop()
  await expect(sql`insert into kept values (101)`).rejects.toSatisfy(isDatabaseUnavailable)
  await promoted`select pg_promote()`
  await sql`insert into kept values (101)`
  expect([await portIn(sql), await count(sql)]).toEqual([portOf(standby), 101])
  for (const pool of [sql, promoted]) await pool.end()
})
