import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Attestation, KeyAttestation } from '@symbolon/api'
import { receiptKeyNonce } from '@symbolon/crypto/attestation'
import type { Manifest } from '@symbolon/crypto/node'
import { ringFileState } from '@symbolon/enclave/file-root'
import { openManifestFile } from '@symbolon/enclave/manifest-file'
import { requireAttestation, verifyAttestation } from '@symbolon/sdk/verify'
import { startTestApp, type TestApp } from '@symbolon/testing/app'
import { expectedMeasurements, publicApiJwk, testApiKey } from '@symbolon/testing/enclave'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let expected: { ringId: string; isSimulatedAllowed: boolean; simulatedRoot: Uint8Array }

beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ['127.0.0.1'] })
  const state = ringFileState(app.enclaveProcess.ringPath)
  const ringId = state.kind === 'ring' ? state.id : ''
  expected = { ringId, isSimulatedAllowed: true, simulatedRoot: readFileSync(app.enclaveProcess.rootPath) }
})
afterAll(() => app?.stop())

const ask = (nonce: string) => app.call<Attestation>('GET', `/v1/attestation?nonce=${nonce}`)
const receiptKid = ({ keys }: Attestation) => keys.find(({ use }) => use === 'receipt')?.kid ?? ''

test('a customer proves which enclave serves, with the published verifier', async () => {
  const measurements = [expectedMeasurements]
  const { verdict, findings, attestation } = await requireAttestation({
    baseUrl: app.url,
    measurements,
    ...expected,
  })
  expect({ verdict, findings }).toEqual({ verdict: 'verified', findings: [] })
  expect(attestation.keys.map(({ use, jwk }) => [use, jwk.crv])).toEqual([
    ['channel', 'X25519'],
    ['import', 'P-256'],
    ['receipt', 'Ed25519'],
  ])
})

test('the manifest that the enclave serves under is shown, and the document commits to it', async () => {
  const nonce = randomBytes(16)
  const { data } = await ask(nonce.toString('base64url'))
  expect(data.manifest).toEqual(openManifestFile(app.enclaveProcess.ringPath))
  const manifest = { ...(data.manifest as Manifest), api_keys: [publicApiJwk(testApiKey())] }
  const given = { nowMs: Date.now(), nonce, ...expected, measurements: [expectedMeasurements] }
  expect(await verifyAttestation({ ...given, attestation: { ...data, manifest } })).toMatchObject({
    verdict: 'failed',
    findings: [{ code: 'user_data_mismatch' }],
  })
})

test('an attestation is for the nonce of its caller alone, and any page may read it', async () => {
  const nonce = randomBytes(16)
  const { data, headers } = await ask(nonce.toString('base64url'))
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  const given = { attestation: data, nowMs: Date.now(), ...expected, measurements: [expectedMeasurements] }
  expect(await verifyAttestation({ ...given, nonce })).toMatchObject({ verdict: 'verified' })
  expect(await verifyAttestation({ ...given, nonce: randomBytes(16) })).toMatchObject({
    verdict: 'failed',
    findings: [{ code: 'nonce_mismatch' }],
  })
})

test.each([
  ['no nonce', ''],
  ['one of 15 bytes', `?nonce=${randomBytes(15).toString('base64url')}`],
  ['one of 65 bytes', `?nonce=${randomBytes(65).toString('base64url')}`],
  ['two', `?nonce=${'A'.repeat(22)}&nonce=${'A'.repeat(22)}`],
  ['padding', `?nonce=${'A'.repeat(22)}==`],
  ['a spelling that is not the only one', `?nonce=${'A'.repeat(21)}B`],
  ['bytes in plain base64', `?nonce=${encodeURIComponent(`${'+'.repeat(22)}`)}`],
])('%s is a malformed request', async (_, query) => {
  const { status, error, headers } = await app.call('GET', `/v1/attestation${query}`)
  expect({ status, code: error?.code }).toEqual({ status: 400, code: 'invalid_request' })
  expect(headers.get('access-control-allow-origin')).toBe('*')
})

test('nonces of 16 and of 64 bytes are taken', async () => {
  for (const bytes of [16, 64]) expect((await ask(randomBytes(bytes).toString('base64url'))).status).toBe(200)
})

test('the attestation of a receipt key outlives the enclave that made the key', async () => {
  const kid = receiptKid((await ask('A'.repeat(22))).data)
  const { supervisor } = app.enclaveProcess
  const pid = supervisor.pid()
  if (pid === undefined) throw new Error('no enclave')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => supervisor.pid()).not.toBe(pid)
  await expect.poll(async () => (await ask('A'.repeat(22))).status).toBe(200)
  expect(receiptKid((await ask('A'.repeat(22))).data)).not.toBe(kid)

  const { data } = await app.call<KeyAttestation>('GET', `/v1/attestation/keys/${kid}`)
  expect(data).toMatchObject({ kid, use: 'receipt', mode: 'simulated', ring_id: expected.ringId })
  const given = { attestation: data, nowMs: Date.now(), ...expected }
  expect(await verifyAttestation({ ...given, nonce: receiptKeyNonce(kid) })).toMatchObject({
    findings: [],
    verdict: 'verified',
  })
})

test('sixty in a minute is what one address may ask', async () => {
  await app.sql`delete from rate_limits`
  const statuses: number[] = []
  for (let i = 0; i < 4; i++)
    statuses.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, () => app.call('GET', `/v1/attestation/keys/${'k'.repeat(43)}`)),
      ).then((answers) => answers.map(({ status }) => status))),
    )
  const passed = statuses.filter((status) => status === 404).length
  expect(passed).toBeGreaterThanOrEqual(60)
  expect(passed).toBeLessThanOrEqual(65)
  await app.sql`delete from rate_limits`
})

test('whoever has a /48 of IPv6 asks five times as much as one address, and nobody else waits for it', async () => {
  await app.sql`delete from rate_limits`
  const from = async (address: string) =>
    (
      await app.call('GET', `/v1/attestation/keys/${'k'.repeat(43)}`, {
        headers: { 'x-forwarded-for': address },
      })
    ).status
  const beganAt = performance.now()
  let passed = 0
  for (let block = 0; block < 8; block++) {
    const addresses = Array.from({ length: 50 }, (_, i) => `2001:db8:1:${(block * 50 + i).toString(16)}::1`)
    passed += (await Promise.all(addresses.map(from))).filter((status) => status === 404).length
  }
  expect(passed).toBeGreaterThanOrEqual(300)
  expect(passed).toBeLessThanOrEqual(Math.min(400, 301 + 5 * ((performance.now() - beganAt) / 1_000)))
  // More than what comes back meanwhile.
  const more = await Promise.all(
    Array.from({ length: 60 }, (_, i) => from(`2001:db8:1:f${i.toString(16)}::1`)),
  )
  expect(more).toContain(429)
  expect(await from('2001:db8:2:1::1')).toBe(404)
  await app.sql`delete from rate_limits`
})
