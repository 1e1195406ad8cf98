import {
  AttestationRefusedError,
  AttestationUnavailableError,
  fetchAttestation,
  fetchKeyAttestation,
  requireAttestation,
  verifyAttestation,
  verifyReceipt,
} from '@symbolon/sdk/verify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PlatformFixture, startPlatform } from './platform-fixture.ts'

let platform: PlatformFixture
let expected: { ringId: string; isSimulatedAllowed: boolean; simulatedRoot: Uint8Array }

beforeAll(async () => {
  platform = await startPlatform()
  const { ringId, root } = platform.boot
  expected = { ringId, isSimulatedAllowed: true, simulatedRoot: root }
})
beforeEach(() => {
  platform.input = {}
  platform.instead = undefined
})
afterAll(() => platform.stop())

test('requireAttestation resolves with the keys that the expected enclave attested', async () => {
  const measurements = [platform.boot.measurements]
  const { verdict, attestation } = await requireAttestation({
    baseUrl: platform.url,
    measurements,
    ...expected,
  })
  expect(verdict).toBe('verified')
  expect(attestation.keys.find(({ use }) => use === 'receipt')?.kid).toBe(platform.boot.kid)
})

test('requireAttestation rejects with the report for every verdict but verified', async () => {
  const refused = requireAttestation({ baseUrl: platform.url, ...expected, ringId: 'other' })
  await expect(refused).rejects.toThrow(AttestationRefusedError)
  await expect(refused).rejects.toMatchObject({
    report: { verdict: 'failed', findings: [{ code: 'ring_mismatch' }] },
  })
  const unproven = requireAttestation({ baseUrl: platform.url, ...expected, simulatedRoot: undefined })
  await expect(unproven).rejects.toMatchObject({ report: { verdict: 'unproven' } })
  platform.input = { nowMs: Date.now() - 61_000 }
  await expect(requireAttestation({ baseUrl: platform.url, ...expected })).rejects.toThrow('document_expired')
  platform.instead = { status: 503, body: '{"data":null,"error":{"code":"unavailable","message":""}}' }
  await expect(requireAttestation({ baseUrl: platform.url, ...expected })).rejects.toThrow(
    AttestationUnavailableError,
  )
})

test('each attestation is asked for with another nonce, and verified against that one only', async () => {
  const source = { baseUrl: platform.url }
  const [one, other] = [await fetchAttestation(source), await fetchAttestation(source)]
  expect(one.nonce).not.toEqual(other.nonce)
  expect((await verifyAttestation({ ...one, ...expected })).verdict).toBe('verified')
  const swapped = await verifyAttestation({ ...one, nonce: other.nonce, ...expected })
  expect(swapped.findings.map(({ code }) => code)).toEqual(['nonce_mismatch'])
})

test('a receipt is verified with the attestation of its key, which the platform keeps', async () => {
  const { boot, url } = platform
  const attestation = await fetchKeyAttestation({ baseUrl: url, kid: boot.kid })
  expect((await verifyReceipt({ receipt: boot.receipt(), attestation, ...expected })).verdict).toBe(
    'verified',
  )
  await expect(fetchKeyAttestation({ baseUrl: url, kid: 'another' })).rejects.toThrow(
    'answered 404 (not_found)',
  )
})
