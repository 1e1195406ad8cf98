import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EnvelopeContext } from '@symbolon/crypto/node'
import { afterAll, expect, test } from 'vitest'
import { kmsContract } from '../ports/kms.contract.ts'
import { kmsLocal, makeLocalKeys } from './kms-local.ts'

const folder = mkdtempSync(join(tmpdir(), 'kms-local-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function made(path: string) {
  makeLocalKeys(path)
  return kmsLocal(path)
}

kmsContract('the key file', {
  open: async () => made(join(folder, 'keys.json')),
  async openOutOfReach() {
    const path = join(folder, `${crypto.randomUUID()}.json`)
    const kms = made(path)
    renameSync(path, `${path}.away`)
    return kms
  },
  async openWithoutKeys() {
    const path = join(folder, `${crypto.randomUUID()}.json`)
    return { kms: kmsLocal(path), keys: async () => (existsSync(path) ? 1 : 0) }
  },
  secrets: [],
})

const context: EnvelopeContext = {
  organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  purpose: 'tee-b',
  shareIndex: 2,
  polynomialVersion: 1,
}

test('a key file that others may read stops the start', () => {
  const path = join(folder, 'open.json')
  makeLocalKeys(path)
  chmodSync(path, 0o640)
  expect(() => kmsLocal(path)).toThrow(expect.objectContaining({ code: 'permissions' }))
})

test('while the key file is away it answers unavailable, and heals without a restart', async () => {
  const path = join(folder, 'away.json')
  const kms = made(path)
  renameSync(path, `${path}.away`)
  const unavailable = expect.objectContaining({ name: 'KmsError', code: 'unavailable' })
  await expect(kms.ping()).rejects.toMatchObject({ code: 'unavailable', fault: { reason: 'key_missing' } })
  await expect(kms.generateDataKey('tee-b', context)).rejects.toMatchObject({
    code: 'unavailable',
    fault: { reason: 'key_missing', purpose: 'tee-b' },
  })
  await expect(kms.rotate('tee-b')).rejects.toThrow(unavailable)
  renameSync(`${path}.away`, path)
  await kms.ping()
  await kms.generateDataKey('tee-b', context)
})

test("another installation's file in the place of the key file is said to be that", async () => {
  const [path, other] = [join(folder, 'own.json'), join(folder, 'other.json')]
  const kms = made(path)
  makeLocalKeys(other)
  renameSync(other, path)
  const foreign = { code: 'unavailable', fault: { reason: 'key_foreign' } }
  await expect(kms.ping()).rejects.toMatchObject(foreign)
  await expect(kms.generateDataKey('tee-b', context)).rejects.toMatchObject(foreign)
})

test('a process that starts without its key file works once the file is put back', async () => {
  const path = join(folder, 'late.json')
  const { wrappedKey, dataKey } = await made(path).generateDataKey('tee-b', context)
  renameSync(path, `${path}.away`)
  const kms = kmsLocal(path)
  await expect(kms.ping()).rejects.toThrow(expect.objectContaining({ code: 'unknown_key' }))
  renameSync(`${path}.away`, path)
  await kms.ping()
  expect(await kms.unwrap(wrappedKey, context)).toEqual(dataKey)
})

test('keys of a purpose in use are not made anew', async () => {
  const path = join(folder, 'in-use.json')
  makeLocalKeys(path, ['tee-b'])
  const kms = kmsLocal(path)
  await expect(kms.ping()).rejects.toThrow(expect.objectContaining({ code: 'unknown_key' }))
  await expect(kms.generateDataKey('tee-b', context)).rejects.toThrow(
    expect.objectContaining({ code: 'unknown_key' }),
  )
  expect(await kms.keyId('provider')).toMatch(/^local:provider:/)
})
