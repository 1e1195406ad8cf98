import { once } from 'node:events'
import { mkdtempDisposableSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkStart } from './check-start.ts'
import { startFailure } from './start-failure.ts'

const folder = mkdtempDisposableSync(path.join(tmpdir(), 'symbolon-start-'))
const listener = createServer()
let database: TestDatabase
let takenPort: number

beforeAll(async () => {
  database = await testDatabase()
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  takenPort = (listener.address() as AddressInfo).port
})
afterAll(async () => {
  listener.close()
  folder.remove()
  await database.drop()
})

type Settings = { databaseUrl: string; port: number; metricsPort: number }

/** The sentence that a start ends with; undefined where it goes on. */
async function faultOf({ databaseUrl = database.url, port = 0, metricsPort = 0 }: Partial<Settings> = {}) {
  const host = '127.0.0.1'
  const files = {
    kms: { kind: 'local' as const, path: path.join(folder.path, 'kms') },
    secretsFile: path.join(folder.path, 's'),
  }
  const check = { host, port, metrics: { host, port: metricsPort }, databaseUrl, ...files }
  return checkStart(check, { withinMs: 300 }).then(
    () => undefined,
    (error: unknown) => startFailure(error)?.message,
  )
}

const changed = (change: (url: URL) => void): string => {
  const url = new URL(database.url)
  change(url)
  return url.href
}

test('a start goes on over a fitting database', async () => {
  expect(await faultOf()).toBeUndefined()
})

test.each<[string, () => Partial<Settings>, RegExp]>([
  [
    'a port in use',
    () => ({ port: takenPort, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' }),
    /^HOST and PORT .*EADDRINUSE/,
  ],
  [
    'a port of the metrics in use',
    () => ({ metricsPort: takenPort }),
    /^METRICS_HOST and METRICS_PORT .*EADDRINUSE/,
  ],
  [
    'a database that is down',
    () => ({ databaseUrl: 'postgres://x:hidden@127.0.0.1:1/none' }),
    /DATABASE_URL is out of reach/,
  ],
  [
    'a name that nobody has',
    () => ({ databaseUrl: 'postgres://x:hidden@nowhere.invalid/none' }),
    /DATABASE_URL is out of reach/,
  ],
  [
    'a wrong password',
    () => ({
      databaseUrl: changed((url) => {
        url.password = 'hidden'
      }),
    }),
    /DATABASE_URL refuses .*password/,
  ],
  [
    'an absent database',
    () => ({
      databaseUrl: changed((url) => {
        url.pathname = '/none'
      }),
    }),
    /DATABASE_URL refuses .*"none"/,
  ],
])(
  '%s ends the start with one sentence that names the setting and no secret',
  async (_, settings, sentence) => {
    const said = await faultOf(settings())
    expect(said).toMatch(sentence)
    expect(said).not.toMatch(/\n|hidden/)
  },
)

test('a schema that is behind or ahead ends the start, and one ahead that admits this build does not', async () => {
  const { sql } = database
  const set = (step: number, oldest: string) =>
    sql.unsafe(`update symbolon_schema set version = version + ${step}, oldest_build = ${oldest}`)
  await set(-1, '1')
  expect(await faultOf()).toMatch(/^DATABASE_URL: The database is at schema \d+, .*run symbolon migrate\.$/)
  await set(2, '1')
  expect(await faultOf()).toBeUndefined()
  await set(0, 'version')
  expect(await faultOf()).toMatch(/^DATABASE_URL: .* needs a build of at least \d+/)
  await set(-1, '1')
  await sql`update symbolon_functions set checksum = 'another' where name = (select min(name) from symbolon_functions)`
  expect(await faultOf()).toMatch(/^DATABASE_URL: The database's functions .*run symbolon migrate\.$/)
})
