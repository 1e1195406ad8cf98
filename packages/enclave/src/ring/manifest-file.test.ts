import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Manifest, ManifestError, nextManifest } from '@symbolon/crypto/node'
import {
  makeTestRing,
  publicApiJwk,
  type TestRing,
  testApiKey,
  testManifestContent,
} from '@symbolon/testing/enclave'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileRoot } from './file-root.ts'
import { addManifest, makeManifestFile, manifestFileOf, openManifestFile } from './manifest-file.ts'
import { RingError } from './ring.ts'

let folder: string
let path: string
let place: string
let made: TestRing

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'symbolon-manifest-'))
  path = join(folder, 'ring.json')
  place = manifestFileOf(path)
  made = makeTestRing(path)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const next = (previous: Manifest): Manifest =>
  nextManifest(previous, testManifestContent([publicApiJwk(testApiKey())], [...previous.operators]), [
    made.operator,
  ])

const codeOf = (action: () => unknown): string => {
  try {
    action()
    return 'none'
  } catch (error) {
    if (error instanceof RingError) return error.code
    throw error
  }
}
const open = () => fileRoot(path).open()

test('the manifest lies beside its ring, for its owner alone, and opens with it', () => {
  expect(place).toBe(join(folder, 'ring.manifest.json'))
  expect(manifestFileOf('/run/key')).toBe('/run/key.manifest.json')
  if (process.platform !== 'win32') expect(statSync(place).mode & 0o777).toBe(0o600)
  expect(open()).toMatchObject({ id: made.ringId, manifest: made.manifest })
})

test('a first manifest is made once: what is there stays', () => {
  const other = testManifestContent([publicApiJwk(testApiKey())], [...made.manifest.operators])
  expect(makeManifestFile(path, other)).toEqual(made.manifest)
  expect(openManifestFile(path)).toEqual(made.manifest)
})

test('a new version is appended where it follows, and nothing is written where it does not', () => {
  const second = next(made.manifest)
  addManifest(path, second)
  const text = readFileSync(place, 'utf8')
  for (const wrong of [second, made.manifest, next(next(second)), { ...next(second), signatures: [] }])
    expect(() => addManifest(path, wrong)).toThrow(ManifestError)
  expect(readFileSync(place, 'utf8')).toBe(text)
  addManifest(path, next(second))
  expect(openManifestFile(path).version).toBe(3)
})

test('an open ring is not current once it has another manifest', () => {
  const ring = open()
  expect(ring.isCurrent()).toBe(true)
  addManifest(path, next(made.manifest))
  expect(ring.isCurrent()).toBe(false)
  expect(open().manifest.version).toBe(2)
  rmSync(place)
  expect(codeOf(open)).toBe('manifest_missing')
})

test.each<[string, (text: string) => string]>([
  ['a word', () => 'manifest'],
  ['half a file', (text) => text.slice(0, 300)],
  ['another format', (text) => text.replace('symbolon-manifests/1', 'symbolon-manifests/2')],
  ['a member more', (text) => text.replace('{', '{"more": 1,')],
  ['no manifest', (text) => JSON.stringify({ ...JSON.parse(text), manifests: [] })],
  ['another API key', (text) => text.replace(publicApiJwk(made.apiKey).x, publicApiJwk(testApiKey()).x)],
  [
    'a new first manifest',
    (text) => {
      const elsewhere = JSON.parse(text)
      elsewhere.manifests[0].configuration.base_url = 'https://elsewhere.example'
      return JSON.stringify(elsewhere)
    },
  ],
])('%s in its place opens nothing', (_, spoil) => {
  writeFileSync(place, spoil(readFileSync(place, 'utf8')))
  expect(codeOf(open)).toBe('manifest_invalid')
  expect(codeOf(() => addManifest(path, next(made.manifest)))).toBe('manifest_invalid')
})

test.skipIf(process.platform === 'win32')(
  'a manifest that others may read opens nothing, and says which mode it needs',
  () => {
    chmodSync(place, 0o644)
    expect(codeOf(open)).toBe('manifest_invalid')
    expect(open).toThrow('only its owner can read: set its mode to 0600')
  },
)

test('the manifest of another ring opens nothing, not even with the name of this one', () => {
  const other = join(folder, 'other.json')
  makeTestRing(other, made.apiKey)
  const text = readFileSync(manifestFileOf(other), 'utf8')
  writeFileSync(place, text)
  expect(codeOf(open)).toBe('manifest_invalid')
  writeFileSync(place, text.replace(/"ring_id": "[^"]*"/, `"ring_id": "${made.ringId}"`))
  expect(codeOf(open)).toBe('manifest_invalid')
})
