import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Postgres, startPostgres } from '@symbolon/dev/testing/postgres'
import { type Certificate, testAuthority } from '@symbolon/testing/database'
import { type FaultyWire, faultyWire } from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDatabaseUnavailable, openPool } from './pool.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-tls-'))
const at = (name: string) => path.join(folder, name)
const authority = testAuthority()
let server: Postgres
let wire: FaultyWire

beforeAll(async () => {
  writeFileSync(at('root.pem'), authority.certificate)
  writeFileSync(at('other.pem'), testAuthority().certificate)
  server = await startPostgres({ folder: at('postgres'), isDurable: false })
  await present(authority.issue('localhost'))
  wire = await faultyWire(Number(new URL(server.url).port))
})
afterAll(async () => {
  await wire.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Makes the server present a certificate. */
async function present({ key, certificate }: Certificate): Promise<void> {
  const { uid, gid } = statSync(server.data)
  for (const [name, text] of [
    ['own.key', key],
    ['own.pem', certificate],
  ] as const) {
    const file = path.join(server.data, name)
    writeFileSync(file, text)
    chmodSync(file, 0o600)
    chownSync(file, uid, gid)
  }
  await set("ssl_key_file = 'own.key'")
  await set("ssl_cert_file = 'own.pem'")
  await set('ssl = on')
}

/** Sets a setting of the server, and waits until new connections see it. */
async function set(setting: string): Promise<void> {
  const [name = '', value = ''] = setting.replaceAll("'", '').split(' = ')
  for (let isSet = false; !isSet; ) {
    const sql = openPool(server.url, { connectionsMax: 1 })
    await sql.unsafe(`alter system set ${setting}`)
    await sql`select pg_reload_conf()`
    isSet = (await sql`select 1 where current_setting(${name}) = ${value}`).length === 1
    await sql.end()
  }
}

/** Whether a statement over a URL with these parameters is encrypted, or why it does not run. */
async function tried(query: string, { host = 'localhost', port = new URL(server.url).port } = {}) {
  const url = new URL(server.url)
  Object.assign(url, { hostname: host, port, search: query })
  const sql = openPool(url.href, { connectionsMax: 1 })
  try {
    const [row] = await sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    return row?.ssl === true ? 'encrypted' : 'plain'
  } catch (error) {
    expect(isDatabaseUnavailable(error)).toBe(true)
    return (error as Error).message
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const root = `sslrootcert=${at('root.pem')}`
const other = `sslrootcert=${at('other.pem')}`

test.each([
  ['', 'localhost', /^plain$/],
  ['sslmode=require', '127.0.0.1', /^encrypted$/],
  [`sslmode=verify-ca&${root}`, '127.0.0.1', /^encrypted$/],
  [`sslmode=verify-full&${root}`, 'localhost', /^encrypted$/],
  [`sslmode=verify-full&${root}&sslnegotiation=direct`, 'localhost', /^encrypted$/],
  [`sslmode=verify-full&${root}`, '127.0.0.1', /does not match|IP/],
  [`sslmode=verify-full&${other}`, 'localhost', /unable to verify|self.signed|signature failure/i],
  [`sslmode=verify-ca&${other}`, 'localhost', /unable to verify|self.signed|signature failure/i],
  [`sslmode=require&${other}`, 'localhost', /unable to verify|self.signed|signature failure/i],
  ['sslmode=verify-full', 'localhost', /unable to verify|self.signed/i],
  ['sslmode=verify-full&sslrootcert=system', 'localhost', /unable to verify|self.signed/i],
])('with ?%s and host %s a statement is %s', async (query, host, outcome) => {
  expect(await tried(query, { host })).toMatch(outcome)
})

test('a root file that is not there is named before anything is sent', () => {
  expect(() =>
    openPool('postgres://localhost/x?sslmode=verify-full&sslrootcert=/no/such', { connectionsMax: 1 }),
  ).toThrow('sslrootcert names /no/such')
})

test('a server without TLS gets no password from a URL that wants it', async () => {
  await set('ssl = off')
  expect(await tried(`sslmode=verify-full&${root}`)).toMatch('does not support SSL')
  expect(await tried('sslmode=require')).toMatch('does not support SSL')
  await set('ssl = on')
})

test('under TLS a lost connection mixes no rows, a slow statement is waited for, and a silent host is given up', async () => {
  const url = new URL(server.url)
  Object.assign(url, {
    hostname: 'localhost',
    port: String(wire.port),
    search: `sslmode=verify-full&${root}`,
  })
  const sql = openPool(url.href, { connectionsMax: 4 })
  const outcomes = new Set<string>()
  const ask = async (n: number) => {
    const outcome = await sql<{ n: number }[]>`select ${n}::integer as n, pg_sleep(0.002)`.then(
      (rows) => (rows.length === 1 && rows[0]?.n === n ? 'own' : 'rows of another'),
      (error: unknown) => (isDatabaseUnavailable(error) ? 'unavailable' : String(error)),
    )
    outcomes.add(outcome)
  }
  for (let round = 0; round < 12; round++) {
    const asked = Array.from({ length: 12 }, (_, i) => ask(round * 100 + i))
    // Cut at any moment, the handshake's included.
    await sleep(Math.random() * 25)
    await wire.cut()
    await wire.mend()
    await Promise.all(asked)
  }
  expect([...outcomes].sort()).toEqual(['own', 'unavailable'])

  // The last loss may not have been noticed yet.
  await sql`select 1`.catch(() => {})
  expect((await sql<{ n: number }[]>`select 1 as n, pg_sleep(3)`)[0]?.n).toBe(1)
  const from = performance.now()
  wire.freeze()
  await expect(sql`select 1`).rejects.toSatisfy(isDatabaseUnavailable)
  expect(performance.now() - from).toBeLessThan(9_000)
  await sql.end({ timeout: 0 })
}, 60_000)
