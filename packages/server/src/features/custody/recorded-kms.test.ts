import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EnvelopeContext, KeyPurpose } from '@symbolon/crypto/node'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kmsLocal, makeLocalKeys } from '../../adapters/kms-local.ts'
import { recordedKms } from './recorded-kms.ts'

const contextOf = (purpose: KeyPurpose): EnvelopeContext => ({
  organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  purpose,
  shareIndex: 2,
  polynomialVersion: 1,
})
const context = contextOf('tee-b')
const faulty = (reason: string, purpose: string) =>
  expect.objectContaining({ name: 'KmsError', code: 'unavailable', fault: { reason, purpose } })

let database: TestDatabase
let folder: string
let path: string
beforeEach(async () => {
  database = await testDatabase()
  folder = mkdtempSync(join(tmpdir(), 'recorded-kms-'))
  path = join(folder, 'keys.json')
  makeLocalKeys(path)
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

const started = (file = path) => recordedKms(kmsLocal(file), database.sql)
const rows = async () =>
  Object.fromEntries(
    (await database.sql`select purpose, key_id from kms_keys`).map((row) => [row['purpose'], row['key_id']]),
  )
const foreignFile = () => {
  const foreign = join(folder, `${crypto.randomUUID()}.json`)
  makeLocalKeys(foreign)
  return foreign
}

test('the database names the key of a purpose with its first data key, and of no other', async () => {
  const kms = started()
  await kms.ping()
  expect(await rows()).toEqual({})
  const { wrappedKey, dataKey } = await kms.generateDataKey('tee-b', context)
  expect(await rows()).toEqual({ 'tee-b': wrappedKey.keyId })
  expect(await started().unwrap(wrappedKey, context)).toEqual(dataKey)
  await started().ping()
})

test('a KMS without the key that the database names makes nothing, at any number of starts, until the key is back', async () => {
  const { wrappedKey, dataKey } = await started().generateDataKey('tee-b', context)
  renameSync(path, `${path}.kept`)
  const missing = faulty('key_missing', 'tee-b')
  for (let i = 0; i < 3; i++) {
    const kms = started()
    await expect(kms.ping()).rejects.toThrow(missing)
    await expect(kms.generateDataKey('tee-b', context)).rejects.toThrow(missing)
    await expect(kms.unwrap(wrappedKey, context)).rejects.toThrow(missing)
    await expect(kms.rewrap(wrappedKey, context)).rejects.toThrow(missing)
    await expect(kms.rotate('tee-b')).rejects.toThrow(missing)
    expect(() => readFileSync(path)).toThrow('ENOENT')
  }
  renameSync(`${path}.kept`, path)
  expect(await started().unwrap(wrappedKey, context)).toEqual(dataKey)
})

test('a KMS with the keys of another installation makes nothing and changes nothing', async () => {
  const { wrappedKey } = await started().generateDataKey('tee-b', context)
  const foreign = foreignFile()
  const before = readFileSync(foreign, 'utf8')
  const kms = started(foreign)
  const refused = faulty('key_foreign', 'tee-b')
  await expect(kms.ping()).rejects.toThrow(refused)
  await expect(kms.generateDataKey('tee-b', context)).rejects.toThrow(refused)
  await expect(kms.rotate('tee-b')).rejects.toThrow(refused)
  await expect(kms.unwrap(wrappedKey, context)).rejects.toThrow(faulty('key_missing', 'tee-b'))
  expect(readFileSync(foreign, 'utf8')).toBe(before)
  expect(await rows()).toEqual({ 'tee-b': wrappedKey.keyId })
})

test('of two installations’ keys at once over an empty database one is named, and the other gives no data key', async () => {
  const files = [path, foreignFile(), foreignFile(), foreignFile()]
  const made = await Promise.allSettled(
    files.map((file) => started(file).generateDataKey('provider', contextOf('provider'))),
  )
  const given = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.wrappedKey.keyId] : []))
  expect(given).toEqual([(await rows())['provider']])
  for (const one of made)
    if (one.status === 'rejected') expect(one.reason).toEqual(faulty('key_foreign', 'provider'))
})

test('an older copy of the file, without the version of a row, is a missing key', async () => {
  const older = join(folder, 'older.json')
  copyFileSync(path, older)
  const kms = started()
  await kms.rotate('tee-b')
  const { wrappedKey } = await kms.generateDataKey('tee-b', context)
  await expect(started(older).unwrap(wrappedKey, context)).rejects.toThrow(faulty('key_missing', 'tee-b'))
})

test('a row that names a key which the database does not know says nothing about the KMS', async () => {
  const kms = started()
  const { wrappedKey } = await kms.generateDataKey('tee-b', context)
  await expect(kms.unwrap({ ...wrappedKey, keyId: 'other' }, context)).rejects.toThrow(
    expect.objectContaining({ code: 'unknown_key', fault: undefined }),
  )
  await kms.ping()
})
