import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { seedOrganization, type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLocalKeys } from '../adapters/kms-local.ts'
import { makeFirstKeys } from './make-first-keys.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const start = (keyFile: string, secretsFile: string, databaseUrl = database.url) =>
  makeFirstKeys({ databaseUrl, kms: { kind: 'local', path: keyFile }, secretsFile })

test('a missing key file is made over an empty database only', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'symbolon-keys-'))
  const at = (name: string) => path.join(folder.path, name)
  const [there, gone, secrets] = [at('there.json'), at('gone.json'), at('secrets.json')]
  writeFileSync(secrets, '{}')
  await start(there, at('no-secrets.json'))
  const first = readFileSync(there, 'utf8')
  await seedOrganization(database.sql)
  await start(there, secrets)
  for (let i = 0; i < 3; i++) {
    await expect(start(gone, secrets)).rejects.toThrow(`KMS: ${gone} does not exist`)
    await expect(start(there, gone)).rejects.toThrow(`SECRETS_FILE: ${gone} does not exist`)
  }
  expect(existsSync(gone)).toBe(false)
  expect(readFileSync(there, 'utf8')).toBe(first)
  const nowhere = new URL(database.url)
  nowhere.port = '1'
  await expect(start(gone, secrets, nowhere.href)).rejects.toThrow()
})

test('a file that lost the keys of a purpose in use gets no others, and one that lacks an unused purpose does', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'symbolon-keys-'))
  const [keyFile, secrets] = ['keys.json', 'secrets.json'].map((name) => path.join(folder.path, name)) as [
    string,
    string,
  ]
  writeFileSync(secrets, '{}')
  makeLocalKeys(keyFile)
  const file = JSON.parse(readFileSync(keyFile, 'utf8'))
  await database.sql`insert into kms_keys (purpose, key_id) values ('tee-b', ${file.keys['tee-b'].keyId})`
  const { 'tee-b': _, webhook: __, ...rest } = file.keys
  writeFileSync(keyFile, JSON.stringify({ ...file, keys: rest }))
  await start(keyFile, secrets)
  expect(Object.keys(JSON.parse(readFileSync(keyFile, 'utf8')).keys).sort()).toEqual([
    'pii',
    'provider',
    'recovery',
    'webhook',
  ])
})
