import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyRing } from '@symbolon/crypto/node'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { adoptRingFile, makeRingFile, oldKeyRing, openRingFile, ringFileState } from './file-root.ts'
import { RingError } from './ring.ts'

const folder = mkdtempSync(join(tmpdir(), 'symbolon-ring-'))
let count = 0
let path = ''
beforeEach(() => {
  count += 1
  path = join(folder, `${count}.json`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const context = {
  organizationId: '0192f0c1-2b3c-7d4e-8f50-617283940516',
  walletId: '0192f0c1-2b3c-7d4e-8f50-617283940517',
  purpose: 'tee-a' as const,
  shareIndex: 1,
  polynomialVersion: 1,
}
const open = () => openRingFile(path)
const ringCode = (action: () => unknown): string => {
  try {
    action()
  } catch (error) {
    if (error instanceof RingError) return error.code
    throw error
  }
  return 'opened'
}

test('to open a ring never makes one', () => {
  expect(ringCode(open)).toBe('missing')
  expect(existsSync(path)).toBe(false)
  expect(ringFileState(path)).toEqual({ kind: 'missing' })
})

test('a made ring is for its owner alone, and opens with the id that it was made with', () => {
  const id = makeRingFile(path)
  expect(id).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(open()).toMatchObject({ id, keys: { keyId: id, version: 1 } })
  expect(ringFileState(path)).toEqual({ kind: 'ring', id, versions: 1 })
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('to make a ring where one is returns that one', () => {
  expect(makeRingFile(path)).toBe(makeRingFile(path))
})

test('a rotation keeps the id, and all versions unwrap', () => {
  const id = makeRingFile(path)
  const ring = open()
  const first = ring.keys.generateDataKey(context)
  expect(ring.rotate()).toBe(2)
  const second = ring.keys.generateDataKey(context)
  expect([first.wrappedKey.keyVersion, second.wrappedKey.keyVersion]).toEqual([1, 2])
  const again = open()
  expect(again).toMatchObject({ id, keys: { version: 2 } })
  for (const { dataKey, wrappedKey } of [first, second])
    expect(again.keys.unwrap(wrappedKey, context)).toEqual(dataKey)
})

test.each<[string, (text: string) => string]>([
  ['an empty file', () => ''],
  ['half a file', (text) => text.slice(0, text.length / 2)],
  ['another format', (text) => text.replace('symbolon-ring/1', 'symbolon-ring/2')],
  ['a root key that is not the named ring’s', (text) => text.replace(/"root": ".{4}/, '"root": "AAAA')],
  ['a version that is no key', (text) => text.replace(/"versions": \[\s*"/, '"versions": ["=')],
  ['no version', (text) => text.replace(/"versions": \[[^\]]*\]/, '"versions": []')],
])('%s is not a ring, and stays as it is', (_, damage) => {
  makeRingFile(path)
  const damaged = damage(readFileSync(path, 'utf8'))
  writeFileSync(path, damaged)
  expect(ringCode(open)).toBe('unreadable')
  expect(open).toThrow('no key ring, or a damaged one. Restore it from a backup')
  expect(ringFileState(path)).toEqual({ kind: 'unreadable' })
  expect(readFileSync(path, 'utf8')).toBe(damaged)
})

test.skipIf(process.platform === 'win32')('a ring that others may read, or a folder, is not opened', () => {
  makeRingFile(path)
  chmodSync(path, 0o644)
  expect(ringCode(open)).toBe('unreadable')
  expect(open).toThrow('only its owner can read: set its mode to 0600')
  path = `${path}.folder`
  mkdirSync(path)
  expect(ringCode(open)).toBe('unreadable')
  expect(ringFileState(path)).toEqual({ kind: 'unreadable' })
})

test('a ring whose file is gone or exchanged seals nothing more, and still opens what it sealed', () => {
  makeRingFile(path)
  const ring = open()
  const { dataKey, wrappedKey } = ring.keys.generateDataKey(context)
  const text = readFileSync(path)
  rmSync(path)
  expect(ringCode(() => ring.keys.generateDataKey(context))).toBe('changed')
  expect(ringCode(() => ring.rotate())).toBe('changed')
  makeRingFile(path)
  expect(ringCode(() => ring.keys.generateDataKey(context))).toBe('changed')
  expect(ringCode(() => ring.rotate())).toBe('changed')
  expect(ring.keys.unwrap(wrappedKey, context)).toEqual(dataKey)
  writeFileSync(path, text)
  expect(ring.keys.generateDataKey(context).wrappedKey.keyVersion).toBe(1)
})

test('keys from before rings had ids open as a ring once they are adopted, under their old name', () => {
  const key = randomBytes(32)
  const keyId = 'local:tee-a:0011223344556677'
  const old = { format: 'symbolon-keys/1', keys: { 'tee-a': { keyId, versions: [key.toString('base64')] } } }
  writeFileSync(path, JSON.stringify(old), { mode: 0o600 })
  const { dataKey, wrappedKey } = keyRing({ purpose: 'tee-a', keyId, keys: [key] }).generateDataKey(context)
  expect(ringCode(open)).toBe('unreadable')
  expect(ringFileState(path)).toEqual({ kind: 'old' })
  expect(oldKeyRing(path)?.unwrap(wrappedKey, context)).toEqual(dataKey)

  const id = adoptRingFile(path)
  expect(open()).toMatchObject({ id, keys: { keyId, version: 1 } })
  expect(open().keys.unwrap(wrappedKey, context)).toEqual(dataKey)
  expect(oldKeyRing(path)).toBeUndefined()
  expect(ringCode(() => adoptRingFile(path))).toBe('unreadable')
})

test.skipIf(process.platform === 'win32')(
  'a rotation behind a link writes the file, and the link stays',
  () => {
    const target = `${path}.target`
    makeRingFile(target)
    symlinkSync(target, path)
    expect(open().rotate()).toBe(2)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(ringFileState(target)).toMatchObject({ kind: 'ring', versions: 2 })
  },
)

test('a ring is current until its file is replaced, also by a newer version of it', () => {
  makeRingFile(path)
  const ring = open()
  expect(ring.isCurrent()).toBe(true)
  open().rotate()
  expect(ring.isCurrent()).toBe(false)
  rmSync(path)
  expect(open).toThrow(RingError)
  expect(ring.isCurrent()).toBe(false)
})
