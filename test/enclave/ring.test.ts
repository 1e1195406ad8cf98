import { createPublicKey, type KeyObject } from 'node:crypto'
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PublicJwk } from '@symbolon/crypto/attestation'
import { type ApiKey, nextManifest } from '@symbolon/crypto/node'
import { makeRingFile, ringFileState } from '@symbolon/enclave/file-root'
import { addManifest, manifestFileOf, openManifestFile } from '@symbolon/enclave/manifest-file'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import { makeTenant, makeWalletFor, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import {
  makeTestRing,
  operatorOf,
  publicApiJwk,
  restartEnclave,
  testApiKey,
  testManifestContent,
  testOperator,
} from '@symbolon/testing/enclave'
import { afterEach, beforeEach, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let walletId: string
let ringId: string
let backup: string

beforeEach(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  ;({ id: walletId } = await makeWalletFor(app, tenant, 'secp256k1'))
  const { ringPath, folder } = app.enclaveProcess
  const state = ringFileState(ringPath)
  ringId = state.kind === 'ring' ? state.id : ''
  backup = join(folder, 'backup.json')
  cpSync(ringPath, backup)
})
afterEach(() => app.stop())

const ready = () => app.call('GET', '/v1/ready')
const sign = () =>
  app.call('POST', '/v1/s2s/sign', {
    sk: tenant.sk,
    json: { wallet_id: walletId, type: 'message', message: 'hello' },
  })
const create = () =>
  app.call('POST', '/v1/s2s/wallets', {
    sk: tenant.sk,
    json: { email: `new${Math.random()}@example.test`, curve: 'ed25519' },
  })

/** The enclave among the components of an answer of `/v1/ready`. */
const enclaveOf = (answer: unknown) =>
  (answer as { components?: { enclave?: unknown } } | undefined)?.components?.enclave

async function expectMismatch(component: object): Promise<void> {
  await expect
    .poll(async () => {
      const { status, error } = await ready()
      return { status, code: error?.code }
    })
    .toEqual({ status: 503, code: 'enclave_ring_mismatch' })
  const { error, headers } = await ready()
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
  expect(enclaveOf(error?.details)).toEqual({ status: 'down', ...component })
  for (const answer of [await sign(), await create()]) {
    expect({ status: answer.status, code: answer.error?.code }).toEqual({ status: 503, code: 'unavailable' })
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  }
}

/** The right ring is put back while everything runs. */
async function expectServiceWith(ring: string): Promise<void> {
  cpSync(ring, app.enclaveProcess.ringPath)
  await expect.poll(async () => (await sign()).status).toBe(200)
  expect((await ready()).status).toBe(200)
  expect((await create()).status).toBe(201)
}

const edit = (file: string, what: RegExp, by: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(what, by))

const publicJwkOf = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' }) as PublicJwk

const walletCount = async () =>
  Number((await app.sql<{ count: string }[]>`select count(*) from wallets`)[0]?.count)

test('readiness names the ring that serves', async () => {
  expect(enclaveOf((await ready()).data)).toEqual({
    status: 'up',
    phase: 'serving',
    mode: 'simulated',
    ring_id: ringId,
    enclaves: [{ status: 'up' }],
  })
  expect(await app.sql`select ring_id from wallets`).toMatchObject([{ ring_id: ringId }])
})

test('a lost ring is not replaced, however often the enclave starts, and serves again once it is back', async () => {
  const { ringPath } = app.enclaveProcess
  rmSync(ringPath)
  for (let i = 0; i < 3; i++) {
    await restartEnclave(app.enclaveProcess)
    await expectMismatch({ reason: 'ring_missing', ring_id: null, expected_ring_id: ringId })
    expect(existsSync(ringPath)).toBe(false)
  }
  expect(await walletCount()).toBe(1)
  await expectServiceWith(backup)
}, 60_000)

test('a damaged ring is left as it is', async () => {
  const { ringPath } = app.enclaveProcess
  const damaged = readFileSync(ringPath, 'utf8').slice(0, -40)
  writeFileSync(ringPath, damaged)
  await restartEnclave(app.enclaveProcess)
  await expectMismatch({ reason: 'ring_missing', ring_id: null, expected_ring_id: ringId })
  expect(readFileSync(ringPath, 'utf8')).toBe(damaged)
  await expectServiceWith(backup)
}, 60_000)

test('the ring of another installation signs nothing and makes nothing', async () => {
  const { ringPath } = app.enclaveProcess
  const manifests = readFileSync(manifestFileOf(ringPath))
  for (const file of [ringPath, manifestFileOf(ringPath)]) rmSync(file)
  const { ringId: other } = makeTestRing(ringPath, app.enclaveProcess.apiKey)
  await restartEnclave(app.enclaveProcess)
  await expectMismatch({ reason: 'ring_foreign', ring_id: other, expected_ring_id: ringId })
  expect(await walletCount()).toBe(1)
  writeFileSync(manifestFileOf(ringPath), manifests)
  await expectServiceWith(backup)
}, 60_000)

test.each<[string, (place: string) => void]>([
  ['that is gone', (place) => rmSync(place)],
  ['that somebody changed', (place) => edit(place, /"k": 1/, '"k": 2')],
  ['whose ring did not make it', (place) => edit(place, /"ring_signature": "./, '"ring_signature": "-')],
  ['that others may read', (place) => chmodSync(place, 0o644)],
])(
  'an enclave with a manifest %s serves nothing and makes none',
  async (_, spoil) => {
    const { ringPath, lines } = app.enclaveProcess
    const place = manifestFileOf(ringPath)
    const right = readFileSync(place, 'utf8')
    spoil(place)
    const spoilt = existsSync(place) && readFileSync(place, 'utf8')
    await restartEnclave(app.enclaveProcess)
    await expectMismatch({ reason: 'ring_missing', ring_id: null, expected_ring_id: ringId })
    expect(lines.some((line) => line.includes('"reason":"manifest_') && line.includes(place))).toBe(true)
    expect(existsSync(place) && readFileSync(place, 'utf8')).toBe(spoilt)
    rmSync(place, { force: true })
    writeFileSync(place, right, { mode: 0o600 })
    await expect.poll(async () => (await sign()).status).toBe(200)
  },
  60_000,
)

test('a ring beside the manifest of another one serves nothing', async () => {
  const { ringPath } = app.enclaveProcess
  rmSync(ringPath)
  makeRingFile(ringPath)
  await restartEnclave(app.enclaveProcess)
  await expectMismatch({ reason: 'ring_missing', ring_id: null, expected_ring_id: ringId })
  await expectServiceWith(backup)
}, 60_000)

test('a later manifest ends the channel of a withdrawn API key without a restart, and the next one lets it in again', async () => {
  const { ringPath, apiKey, operator, ringId: id, supervisor } = app.enclaveProcess
  const { jwk } = testOperator()
  const contentFor = (key: ApiKey) => testManifestContent([publicApiJwk(key)], [jwk, publicJwkOf(operator)])
  const manifest = openManifestFile(ringPath)
  expect(manifest.ring_id).toBe(id)
  expect((await sign()).status).toBe(200)
  const pid = supervisor.pid()
  const other = nextManifest(manifest, contentFor(testApiKey()), [operator])
  addManifest(ringPath, other)
  await expect.poll(async () => (await ready()).status).toBe(503)
  for (let i = 0; i < 3; i++) expect((await sign()).status).toBe(503)
  addManifest(ringPath, nextManifest(other, contentFor(apiKey), [operator]))
  await expect.poll(async () => (await sign()).status).toBe(200)
  expect((await ready()).status).toBe(200)
  expect(supervisor.pid()).toBe(pid)
}, 60_000)

test('a later manifest that still names the API key breaks no channel', async () => {
  const { ringPath, apiKey, operator } = app.enclaveProcess
  const manifest = openManifestFile(ringPath)
  const content = testManifestContent(
    [publicApiJwk(testApiKey()), publicApiJwk(apiKey)],
    [...manifest.operators],
  )
  addManifest(ringPath, nextManifest(manifest, content, [operator]))
  const takenVersion = async () => {
    expect((await sign()).status).toBe(200)
    const { data } = await app.call('GET', `/v1/attestation?nonce=${'A'.repeat(43)}`)
    return (data['manifest'] as { version: number }).version
  }
  await expect.poll(takenVersion, { interval: 500 }).toBe(2)
  expect((await sign()).status).toBe(200)
}, 60_000)

test('a ring from before a rotation does not serve the wallets of after it', async () => {
  const enclave = enclaveSocket(app.enclaveProcess.client)
  expect(await operatorOf(enclave, app.enclaveProcess.operator).rotate()).toBe(2)
  await enclave.close()
  expect((await create()).status).toBe(201)
  const rotated = join(app.enclaveProcess.folder, 'rotated.json')
  cpSync(app.enclaveProcess.ringPath, rotated)
  cpSync(backup, app.enclaveProcess.ringPath)
  await restartEnclave(app.enclaveProcess)
  await expectMismatch({ reason: 'ring_version_missing', ring_id: ringId, expected_ring_id: ringId })
  cpSync(rotated, app.enclaveProcess.ringPath)
  await expect.poll(async () => (await sign()).status).toBe(200)
}, 60_000)
