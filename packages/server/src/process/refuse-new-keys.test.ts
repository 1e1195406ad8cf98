import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { seedOrganization, type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuseNewKeys } from './refuse-new-keys.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('a missing key file is made over an empty database only', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'symbolon-keys-'))
  const [there, gone] = ['there.json', 'gone.json'].map((name) => path.join(folder.path, name)) as [
    string,
    string,
  ]
  writeFileSync(there, '{}')
  const start = (kmsKeyFile: string, secretsFile: string, databaseUrl = database.url) =>
    refuseNewKeys({ databaseUrl, kms: { kind: 'local', path: kmsKeyFile }, secretsFile })
  await start(gone, gone)
  await seedOrganization(database.sql)
  await start(there, there)
  await expect(start(gone, there)).rejects.toThrow(`KMS: ${gone} does not exist`)
  await expect(start(there, gone)).rejects.toThrow(`SECRETS_FILE: ${gone} does not exist`)
  const nowhere = new URL(database.url)
  nowhere.port = '1'
  await expect(start(gone, there, nowhere.href)).rejects.toThrow()
})
