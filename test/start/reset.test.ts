import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startPostgres } from '@symbolon/dev/testing/postgres'
import { openPool } from '@symbolon/server/pool'
import { dataFolder, type StartedPlatform, startedPlatform } from '@symbolon/testing/platform'
import { afterAll, afterEach, expect, test } from 'vitest'

const folder = dataFolder()
const foreign = path.join(folder.path, 'mine.txt')
const started: StartedPlatform[] = []

afterEach(async () => {
  for (const { launcher, ended } of started.splice(0)) {
    launcher.kill('SIGTERM')
    await ended()
  }
})
afterAll(() => folder.remove())

async function start(...options: string[]): Promise<StartedPlatform> {
  const platform = await startedPlatform({ dataFolder: folder.path, options })
  started.push(platform)
  return platform
}

/** Runs a statement in the folder's database, as long as nothing else has it. */
async function inDatabase(statement: string) {
  const server = await startPostgres({ folder: path.join(folder.path, 'postgres'), isDurable: false })
  const sql = openPool(server.url, { connectionsMax: 1, isPatient: true })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
    await server.stop()
  }
}

test('tables of an unreleased version end the start with one sentence that names folder and command, and stay', async () => {
  await inDatabase(`create table schema_migrations (name text primary key, checksum text not null);
    create table wallets (id integer); insert into wallets values (7)`)
  writeFileSync(foreign, '')
  const platform = await start()
  expect(await platform.ended()).toBe(1)
  const words = platform.output().replace('Starting: database, enclave, API …\n', '')
  expect(words).toBe(
    `${folder.path}: The database has the tables of an unreleased version of Symbolon; to delete all its wallets and keys and ` +
      `start over, run SYMBOLON_DATA_DIR=${folder.path} npm start -- --reset\n`,
  )
  expect(await inDatabase('select id from wallets')).toEqual([{ id: 7 }])
})

test('an option that does not exist ends the start and deletes nothing', async () => {
  const platform = await start('--rest')
  expect(await platform.ended()).toBe(1)
  expect(platform.output()).toContain('the only option is --reset')
  expect(existsSync(path.join(folder.path, 'postgres'))).toBe(true)
})

test('a reset deletes what starts have kept, nothing else, and comes up; a folder in use is not reset', async () => {
  const platform = await start('--reset')
  await platform.ready()
  expect(platform.output()).toMatch(/^Deleted in .*: postgres,/)
  expect(existsSync(foreign)).toBe(true)
  const second = await start('--reset')
  expect(await second.ended()).toBe(1)
  expect(second.output()).toContain('already runs')
  expect(existsSync(path.join(folder.path, 'dev.json'))).toBe(true)
})

test('a reset is refused where the database is elsewhere', async () => {
  const elsewhere = { DATABASE_URL: 'postgres://localhost:1/none' }
  const platform = await startedPlatform({
    dataFolder: folder.path,
    options: ['--reset'],
    environment: elsewhere,
  })
  expect(await platform.ended()).toBe(1)
  expect(platform.output()).toContain('DATABASE_URL')
  expect(existsSync(path.join(folder.path, 'kms'))).toBe(true)
})
