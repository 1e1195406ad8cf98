import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jwkThumbprint } from '@symbolon/crypto/attestation'
import { type ApiKey, nextManifest } from '@symbolon/crypto/node'
import { networks } from '@symbolon/networks'
import {
  makeTestRing,
  publicApiJwk,
  type TestRing,
  testApiKey,
  testManifestContent,
} from '@symbolon/testing/enclave'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EnclaveState, enclaveState } from '../enclave-state.ts'
import { fileRoot } from './file-root.ts'
import { addManifest, manifestFileOf } from './manifest-file.ts'
import { refreshRing } from './refresh-ring.ts'

const folder = mkdtempSync(join(tmpdir(), 'symbolon-refresh-'))
const path = join(folder, 'ring.json')
const place = manifestFileOf(path)
const nextKey = testApiKey()
let made: TestRing
let state: EnclaveState

beforeEach(() => {
  made = makeTestRing(path)
  state = enclaveState(() => {}, networks)
  state.phases.enter('attested')
  state.serve(fileRoot(path).open())
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const isKnown = (key: ApiKey): boolean =>
  state.apiKey(Buffer.from(jwkThumbprint(key), 'base64url')) !== undefined
const served = () => {
  const { id, manifest } = state.vault().ring
  return [id, manifest.version, isKnown(made.apiKey), isKnown(nextKey)]
}

/** Adds version 2, which names another API key, and returns the file with version 1 alone. */
function addNext(): string {
  const before = readFileSync(place, 'utf8')
  const { manifest, operator } = made
  const content = testManifestContent([publicApiJwk(nextKey)], [...manifest.operators])
  addManifest(path, nextManifest(manifest, content, [operator]))
  return before
}

test('the next manifest is taken, and with it the keys that it names, and no others', () => {
  expect(served()).toEqual([made.ringId, 1, true, false])
  addNext()
  expect(served()).toEqual([made.ringId, 1, true, false])
  refreshRing(fileRoot(path), state)
  expect(served()).toEqual([made.ringId, 2, false, true])
})

test('an older manifest of the same ring is not taken, nor one that does not verify, nor none', () => {
  const first = addNext()
  refreshRing(fileRoot(path), state)
  const second = readFileSync(place, 'utf8')
  for (const text of [first, second.replace('"ring_signature": "', '"ring_signature": "AA'), '{}']) {
    writeFileSync(place, text)
    refreshRing(fileRoot(path), state)
    expect(served()).toEqual([made.ringId, 2, false, true])
  }
  rmSync(place)
  refreshRing(fileRoot(path), state)
  expect(served()).toEqual([made.ringId, 2, false, true])
})

test('another ring is taken with its own manifest, whatever version that has', () => {
  addNext()
  refreshRing(fileRoot(path), state)
  for (const file of [path, place]) rmSync(file)
  const other = makeTestRing(path)
  refreshRing(fileRoot(path), state)
  expect(served()).toEqual([other.ringId, 1, false, false])
  expect(isKnown(other.apiKey)).toBe(true)
})

test('a sealed enclave takes nothing, and knows nobody', () => {
  state.seal('test')
  addNext()
  refreshRing(fileRoot(path), state)
  expect([isKnown(made.apiKey), isKnown(nextKey)]).toEqual([false, false])
  expect(state.facts()).toEqual({ phase: 'sealed', ringId: null, keyVersionA: 0 })
})
