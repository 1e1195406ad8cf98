import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLocalKeys } from '../adapters/kms-local.ts'
import { openSecretsFile } from '../adapters/secrets-file.ts'
import { openPool } from '../db/pool.ts'
import { SchemaError } from '../db/schema-error.ts'
import { startFailure } from './start-failure.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

async function queryError(url: string): Promise<unknown> {
  const sql = openPool(url, { connectionsMax: 1 })
  const error = await sql`select 1`.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  await sql.end({ timeout: 1 })
  return error
}

const changed = (change: (url: URL) => void): string => {
  const url = new URL(database.url)
  change(url)
  return url.href
}

test('a database out of reach is waited for', async () => {
  const nowhere = changed((url) => {
    url.port = '1'
  })
  expect(startFailure(await queryError(nowhere))).toMatchObject({
    isLasting: false,
    message: expect.stringContaining('out of reach'),
  })
})

test('a database that refuses the service ends the start', async () => {
  const absent = changed((url) => {
    url.pathname = '/no_such_database'
  })
  expect(startFailure(await queryError(absent))).toMatchObject({
    isLasting: true,
    message: expect.stringContaining('no_such_database'),
  })
})

test('an address that cannot be listened on, a damaged file and an unfit schema end the start', async () => {
  // An address for documentation (RFC 5737), which is not this machine's.
  const server = createServer().listen({ host: '192.0.2.1', port: 0 })
  const [listening] = await once(server, 'error')
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'symbolon-secrets-'))
  const file = path.join(folder.path, 'secrets.json')
  writeFileSync(file, '{', { mode: 0o600 })
  let damaged: unknown
  try {
    openSecretsFile(file)
  } catch (error) {
    damaged = error
  }
  for (const error of [listening, damaged, new SchemaError('newer', 'The schema is newer.')]) {
    expect(startFailure(error)).toMatchObject({ isLasting: true, message: expect.stringMatching(/^[^\n]+$/) })
  }
})

test.each<[string, (file: string) => void, RegExp]>([
  ['KMS', makeLocalKeys, /mode 0600|not in the format|cannot be read or written/],
  ['SECRETS_FILE', openSecretsFile, /mode 0600|is damaged|cannot be read or written/],
])('whatever is wrong with the file of %s, the sentence names that setting', (variable, use, says) => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'symbolon-files-'))
  const at = (name: string) => path.join(folder.path, name)
  writeFileSync(at('damaged'), '{', { mode: 0o600 })
  writeFileSync(at('shared'), '{}')
  chmodSync(at('shared'), 0o644)
  mkdirSync(at('folder'))
  const files = ['damaged', 'folder', 'damaged/below-a-file']
  // Modes are POSIX's.
  for (const name of process.platform === 'win32' ? files : [...files, 'shared']) {
    let message: string | undefined
    try {
      use(at(name))
    } catch (error) {
      message = startFailure(error)?.message
    }
    expect(message, name).toMatch(says)
    expect(message?.startsWith(`${variable}: `), message).toBe(true)
    expect(message, name).toContain(at(name))
  }
})

test('a bug keeps its stack', () => {
  expect(startFailure(new TypeError('x is not a function'))).toBeUndefined()
})
