import { randomBytes } from 'node:crypto'
import { simulatedChain, simulatedMeasurements, simulatedRoot } from '@symbolon/dev/testing/attestation'
import { type BootInput, simulatedBoot } from '@symbolon/testing/attestation'
import { expect, test } from 'vitest'
import type { AttestationReport } from './finding.ts'
import { type VerifyAttestationOptions, verifyAttestation } from './verify-attestation.ts'

const nowMs = Date.UTC(2026, 10, 24)
const boot = simulatedBoot(nowMs)
const nonce = randomBytes(32)
const expected = {
  ringId: boot.ringId,
  measurements: [boot.measurements],
  isSimulatedAllowed: true,
  simulatedRoot: boot.root,
}

const verify = (options: Partial<VerifyAttestationOptions> = {}, input: BootInput = {}) =>
  verifyAttestation({ attestation: boot.attestation(nonce, input), nonce, nowMs, ...expected, ...options })
const codes = ({ findings }: AttestationReport) => findings.map(({ code }) => code)

test('what an enclave answers to your nonce, of your ring, root and image, is verified without a finding', async () => {
  const report = await verify()
  expect(report).toMatchObject({ verdict: 'verified', mode: 'simulated', findings: [] })
  expect(report.attestation.keys.map(({ use }) => use)).toEqual(['channel', 'import', 'receipt'])
  const enveloped = { data: boot.attestation(nonce), error: null }
  expect((await verify({ attestation: enveloped })).verdict).toBe('verified')
})

test.each<[string, Partial<VerifyAttestationOptions>, string, string[]]>([
  ['without your nonce', { nonce: undefined }, 'unproven', ['nonce_not_checked']],
  ['without the simulated root', { simulatedRoot: undefined }, 'unproven', ['root_not_pinned']],
  ['without your ring', { ringId: undefined }, 'verified', ['ring_not_pinned']],
  ['without measurements', { measurements: undefined }, 'verified', []],
  ['where no simulation is allowed', { isSimulatedAllowed: false }, 'failed', ['simulated_not_allowed']],
  [
    'where nothing is said of simulations',
    { isSimulatedAllowed: undefined },
    'failed',
    ['simulated_not_allowed'],
  ],
  ['of another ring', { ringId: 'other' }, 'failed', ['ring_mismatch']],
  ['for another nonce', { nonce: randomBytes(32) }, 'failed', ['nonce_mismatch']],
  ['a minute later', { nowMs: nowMs + 60_001 }, 'failed', ['document_expired']],
  ['from the future', { nowMs: nowMs - 30_001 }, 'failed', ['document_expired']],
  ['under another root', { simulatedRoot: simulatedRoot(nowMs).certificate }, 'failed', ['root_untrusted']],
  ['of another image', { measurements: [{ 0: 'ab'.repeat(48) }] }, 'failed', ['pcr_mismatch']],
])('an attestation %s comes to the verdict with its code', async (_name, options, verdict, found) => {
  const report = await verify(options)
  expect({ verdict: report.verdict, codes: codes(report) }).toEqual({ verdict, codes: found })
})

test('one of several images is enough, and any register can be named', async () => {
  const other = { 0: 'ab'.repeat(48) }
  expect((await verify({ measurements: [other, { 1: boot.measurements[1] ?? '' }] })).verdict).toBe(
    'verified',
  )
  for (const none of [[], [{}], [other, {}]])
    expect(codes(await verify({ measurements: none }))).toEqual(['pcr_mismatch'])
})

const answered = boot.attestation(nonce)
const [channel, ...others] = answered.keys
const strange = simulatedBoot(nowMs).attestation(nonce)

test.each<[string, object, string[]]>([
  [
    'another ring',
    { ring_id: 'other', manifest: { ring_id: 'other' } },
    ['user_data_mismatch', 'ring_mismatch'],
  ],
  ['no manifest', { manifest: null }, ['user_data_mismatch', 'ring_mismatch']],
  ['a word for a manifest', { manifest: 'manifest' }, ['user_data_mismatch', 'ring_mismatch']],
  ['another version', { image: { ...answered.image, version: '9' } }, ['user_data_mismatch']],
  [
    'other registers',
    { image: { ...answered.image, pcr0: 'ab'.repeat(48) } },
    ['user_data_mismatch', 'pcr_mismatch'],
  ],
  ['other keys', { keys: strange.keys }, ['user_data_mismatch', 'user_data_mismatch']],
  ['a key less', { keys: [channel] }, ['user_data_mismatch']],
  ['no channel key', { keys: others }, ['user_data_mismatch', 'user_data_mismatch']],
  ['another manifest', { manifest: { ring_id: boot.ringId } }, ['user_data_mismatch']],
  ['the document of another boot', { document: strange.document }, ['root_untrusted', 'user_data_mismatch']],
  ['the other mode', { mode: 'nitro' }, ['root_untrusted']],
  ['no document', { document: 'AAAA' }, ['signature_invalid']],
])('an answer that shows %s than the enclave attested fails', async (_name, change, found) => {
  const report = await verify({ attestation: { ...answered, ...change } })
  expect(report.verdict).toBe('failed')
  expect([...new Set(codes(report))]).toEqual([...new Set(found)])
})

test.each<[string, BootInput, string[]]>([
  ['in debug mode', { measurements: new Map() }, ['debug_enclave', 'pcr_mismatch']],
  [
    'with one zero register',
    { measurements: new Map([...simulatedMeasurements, [1, new Uint8Array(48)]]) },
    ['debug_enclave', 'pcr_mismatch'],
  ],
  [
    'with a chain of somebody else below its root',
    { chain: { ...simulatedChain(simulatedRoot(nowMs), nowMs), bundle: [boot.root] } },
    ['chain_invalid'],
  ],
  ['signed by another key', { signingKey: simulatedRoot(nowMs).privateKey }, ['signature_invalid']],
  ['signed with another algorithm', { algorithm: -7 }, ['signature_invalid']],
])('a document %s fails with its code', async (_name, input, found) => {
  const report = await verify({}, input)
  expect(report.verdict).toBe('failed')
  expect([...new Set(codes(report))]).toEqual(found)
})

test('what an enclave says of itself must fit together, even where it attests it', async () => {
  const keys = answered.keys.map((key) => (key.use === 'receipt' ? { ...key, kid: 'mine' } : key))
  expect(codes(await verify({}, { state: { keys } }))).toEqual(['user_data_mismatch'])
  for (const wrong of [others, [...others, ...strange.keys.filter(({ use }) => use === 'channel')]])
    expect(codes(await verify({}, { state: { keys: wrong } }))).toEqual(['user_data_mismatch'])
  const image = { ...answered.image, pcr8: 'ab'.repeat(48) }
  expect(codes(await verify({}, { state: { image } }))).toEqual(['pcr_mismatch'])
  const manifest = { version: 1, ring_id: 'other' }
  expect(codes(await verify({}, { state: { manifest } }))).toEqual(['ring_mismatch'])
})

test('every message is a sentence that names what is wrong', async () => {
  const report = await verify({
    ringId: 'other',
    nowMs: nowMs + 61_000,
    measurements: [{ 0: 'ab'.repeat(48) }],
  })
  expect(report.findings.map(({ message }) => message)).toEqual([
    'The document is not fresh: it is too old (61 s).',
    'The measurements are not those of the expected image: PCR0.',
    `This is another key ring: it is ${boot.ringId}.`,
  ])
})

test('what is no attestation is refused as such, and not as a failed one', async () => {
  const { document: _, ...without } = answered
  for (const attestation of [
    undefined,
    null,
    'text',
    [],
    {},
    without,
    { ...answered, mode: 'real' },
    { ...answered, document: 'not base64!' },
    { ...answered, keys: [{ kid: 'k' }] },
    { ...answered, image: { version: '1' } },
    { data: null, error: { code: 'unavailable', message: 'x' } },
  ])
    await expect(verify({ attestation })).rejects.toThrow(TypeError)
  const failed = { data: null, error: { code: 'unavailable', message: 'x' } }
  await expect(verify({ attestation: failed })).rejects.toThrow('unavailable')
})
