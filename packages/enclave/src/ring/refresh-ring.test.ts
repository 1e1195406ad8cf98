import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jwkThumbprint } from '@symbolon/crypto/attestation'
import { type ApiKey, nextManifest } from '@symbolon/crypto/node'
import {
  makeTestRing,
  publicApiJwk,
  type TestRing,
  testApiKey,
  testManifestContent,
  testOperator,
} from '@symbolon/testing/enclave'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Channels } from '../channels.ts'
import type { EnclaveState } from '../enclave-state.ts'
import { servingState } from '../testing/serving-state.ts'
import { fileRoot } from './file-root.ts'
import { addManifest, makeManifestFile, manifestFileOf } from './manifest-file.ts'
import { refreshRing } from './refresh-ring.ts'

const folder = mkdtempSync(join(tmpdir(), 'symbolon-refresh-'))
const path = join(folder, 'ring.json')
const place = manifestFileOf(path)
const nextKey = testApiKey()
let made: TestRing
let state: EnclaveState
const unused = { count: () => 0, dropUnknown: () => {} }

beforeEach(() => {
  made = makeTestRing(path)
  state = servingState(path)
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
  refreshRing(fileRoot(path), state, unused)
  expect(served()).toEqual([made.ringId, 2, false, true])
})

test('an older manifest of the same ring is not taken, nor one that does not verify, nor none', () => {
  const first = addNext()
  refreshRing(fileRoot(path), state, unused)
  const second = readFileSync(place, 'utf8')
  for (const text of [first, second.replace('"ring_signature": "', '"ring_signature": "AA'), '{}']) {
    writeFileSync(place, text)
    refreshRing(fileRoot(path), state, unused)
    expect(served()).toEqual([made.ringId, 2, false, true])
  }
  rmSync(place)
  refreshRing(fileRoot(path), state, unused)
  expect(served()).toEqual([made.ringId, 2, false, true])
})

test('another ring is taken with its own manifest, whatever version that has', () => {
  addNext()
  refreshRing(fileRoot(path), state, unused)
  for (const file of [path, place]) rmSync(file)
  const other = makeTestRing(path)
  refreshRing(fileRoot(path), state, unused)
  expect(served()).toEqual([other.ringId, 1, false, false])
  expect(isKnown(other.apiKey)).toBe(true)
})

test('while a client uses the ring, a later manifest of its chain is taken, and the channels of unknown keys are closed', () => {
  const left: ApiKey[] = [made.apiKey, nextKey]
  const used: Pick<Channels, 'count' | 'dropUnknown'> = {
    count: () => left.length,
    dropUnknown(isNamed) {
      for (const key of [...left])
        if (!isNamed(Buffer.from(jwkThumbprint(key), 'base64url'))) left.splice(left.indexOf(key), 1)
    },
  }
  refreshRing(fileRoot(path), state, used)
  expect(left).toEqual([made.apiKey, nextKey])
  addNext()
  refreshRing(fileRoot(path), state, used)
  expect(served()).toEqual([made.ringId, 2, false, true])
  expect(left).toEqual([nextKey])
  expect(state.vault().ring.isCurrent()).toBe(true)
})

test('while a client uses the ring, neither another ring is taken nor a chain that does not continue the manifest', () => {
  const used = {
    count: () => 1,
    dropUnknown: () => {
      throw new Error('a channel was closed')
    },
  }
  const first = readFileSync(place, 'utf8')
  addNext()
  const second = readFileSync(place, 'utf8')
  for (const text of [second.replace('"signatures": [', '"signatures": [ 1,'), '{}', first]) {
    writeFileSync(place, text)
    refreshRing(fileRoot(path), state, used)
    expect(served()).toEqual([made.ringId, 1, true, false])
  }
  // The same ring's, from another beginning.
  const { operator, jwk } = testOperator()
  rmSync(place)
  const elsewhere = makeManifestFile(path, testManifestContent([publicApiJwk(nextKey)], [jwk]))
  addManifest(path, nextManifest(elsewhere, testManifestContent([publicApiJwk(nextKey)], [jwk]), [operator]))
  refreshRing(fileRoot(path), state, used)
  expect(served()).toEqual([made.ringId, 1, true, false])
  for (const file of [path, place]) rmSync(file)
  makeTestRing(path)
  refreshRing(fileRoot(path), state, used)
  expect(served()).toEqual([made.ringId, 1, true, false])
})

test('a sealed enclave takes nothing, and knows nobody', () => {
  state.seal('test')
  addNext()
  refreshRing(fileRoot(path), state, unused)
  expect([isKnown(made.apiKey), isKnown(nextKey)]).toEqual([false, false])
  expect(state.facts()).toEqual({ phase: 'sealed', ringId: null, keyVersionA: 0 })
})
