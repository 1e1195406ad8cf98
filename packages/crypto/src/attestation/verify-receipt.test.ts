import { simulatedBoot } from '@symbolon/testing/attestation'
import { expect, test } from 'vitest'
import type { AttestationReport } from './finding.ts'
import type { Receipt } from './receipt.ts'
import { type VerifyReceiptOptions, verifyReceipt } from './verify-receipt.ts'

const madeMs = Date.UTC(2026, 4, 1)
const boot = simulatedBoot(madeMs)
const other = simulatedBoot(madeMs)
const expected = { ringId: boot.ringId, isSimulatedAllowed: true, simulatedRoot: boot.root }
const header = { alg: 'EdDSA', typ: 'symbolon-receipt+jws', kid: boot.kid }

const verify = (options: Partial<VerifyReceiptOptions> = {}) =>
  verifyReceipt({ receipt: boot.receipt(), attestation: boot.keyAttestation(), ...expected, ...options })
const codes = ({ findings }: AttestationReport) => findings.map(({ code }) => code)

test('a receipt of an attested key is verified, however old the attestation is, and its payload comes along', async () => {
  const report = await verify()
  expect(report).toMatchObject({ verdict: 'verified', mode: 'simulated', findings: [] })
  expect(report.receipt).toMatchObject({ version: 1, chain: 'base', counter: 1 })
  const attestation = boot.attestation(new Uint8Array(16))
  expect((await verify({ attestation })).verdict).toBe('verified')
})

test.each<[string, () => Partial<VerifyReceiptOptions>, string, string[]]>([
  ['without your ring', () => ({ ringId: undefined }), 'verified', ['ring_not_pinned']],
  ['without the simulated root', () => ({ simulatedRoot: undefined }), 'unproven', ['root_not_pinned']],
  [
    'where no simulation is allowed',
    () => ({ isSimulatedAllowed: false }),
    'failed',
    ['simulated_not_allowed'],
  ],
  ['of another ring than yours', () => ({ ringId: 'other' }), 'failed', ['ring_mismatch']],
  [
    'with the attestation of another boot',
    () => ({ attestation: other.keyAttestation(), simulatedRoot: other.root, ringId: other.ringId }),
    'failed',
    ['receipt_key_not_attested'],
  ],
  ['by a key of another boot', () => ({ receipt: other.receipt() }), 'failed', ['receipt_key_not_attested']],
  [
    'under the kid of another key',
    () => ({ receipt: other.signed(header, {}) }),
    'failed',
    ['signature_invalid'],
  ],
  [
    'that names another ring',
    () => ({ receipt: boot.receipt({ ring_id: 'other' }) }),
    'failed',
    ['ring_mismatch'],
  ],
  [
    'that calls itself real',
    () => ({ receipt: boot.receipt({ mode: 'nitro' }) }),
    'failed',
    ['receipt_key_not_attested'],
  ],
  ['with other effects', () => ({ receipt: boot.receipt({ effects: [] }) }), 'failed', ['effects_mismatch']],
  [
    'with a digest without signature',
    () => ({ receipt: boot.receipt({ signatures: [] }) }),
    'failed',
    ['signature_invalid'],
  ],
  [
    'of an enclave in debug mode',
    () => ({ attestation: boot.keyAttestation({ measurements: new Map() }) }),
    'failed',
    ['debug_enclave', 'pcr_mismatch', 'pcr_mismatch', 'pcr_mismatch'],
  ],
  [
    'with a document for a nonce',
    () => ({ attestation: boot.keyAttestation({ nonce: new Uint8Array(32) }) }),
    'failed',
    ['receipt_key_not_attested'],
  ],
  [
    'with an attestation of one key that is another',
    () => ({ attestation: { ...boot.keyAttestation(), kid: 'other' } }),
    'failed',
    ['receipt_key_not_attested'],
  ],
])('a receipt %s comes to the verdict with its code', async (_name, options, verdict, found) => {
  const report = await verify(options())
  expect({ verdict: report.verdict, codes: codes(report) }).toEqual({ verdict, codes: found })
})

test('a key is a receipt key only where the enclave attested it as one', async () => {
  const { keys } = boot.keyAttestation()
  const attestation = boot.keyAttestation({ state: { keys: keys.filter(({ use }) => use !== 'receipt') } })
  expect(codes(await verify({ attestation }))).toEqual(['receipt_key_not_attested'])
})

test('a change of any character of a receipt fails, and gives no payload', async () => {
  const receipt = boot.receipt()
  for (let at = 0; at < receipt.length; at += 17) {
    const changed = `${receipt.slice(0, at)}${receipt[at] === 'A' ? 'B' : 'A'}${receipt.slice(at + 1)}`
    const report = await verify({ receipt: changed })
    expect(report, `character ${at}`).toMatchObject({ verdict: 'failed', receipt: undefined })
  }
})

const payload: unknown = JSON.parse(Buffer.from(boot.receipt().split('.')[1] ?? '', 'base64url').toString())

test.each<[string, () => string]>([
  ['of another algorithm', () => boot.signed({ ...header, alg: 'none' }, payload)],
  ['of another type', () => boot.signed({ ...header, typ: 'JWT' }, payload)],
  ['without a type', () => boot.signed({ alg: header.alg, kid: header.kid }, payload)],
  [
    'with a header that changes the meaning',
    () => boot.signed({ ...header, crit: ['b64'], b64: false }, payload),
  ],
  ['with a part too many', () => `${boot.receipt()}.`],
  ['with white space', () => boot.receipt().replace('.', ' .')],
  ['that is empty', () => ''],
])('a JWS %s is not a receipt', async (_name, receipt) => {
  expect(codes(await verify({ receipt: receipt() }))).toEqual(['signature_invalid'])
  expect((await verify({ receipt: boot.signed(header, payload) })).verdict).toBe('verified')
})

test.each<[string, object]>([
  ['version', { version: 2 }],
  ['counter', { counter: 0 }],
  ['digests', { digests: ['A1'.repeat(32)] }],
  ['effects', { effects: [{ kind: 'x', asset: null, amount: '01', to: null }] }],
  ['issued_at', { issued_at: 'yesterday' }],
  ['more', { more: 1 }],
])(
  'a payload whose %s is not as specified fails and is named, though the key signed it',
  async (name, change) => {
    const report = await verify({ receipt: boot.receipt(change) })
    expect(report).toMatchObject({ verdict: 'failed', receipt: undefined })
    expect(report.findings).toEqual([
      { code: 'signature_invalid', message: expect.stringContaining(`(${name})`) },
    ])
  },
)

test('a payload with the effects of a message is one without effects', async () => {
  // The SHA-256 of [].
  const effects_sha256 = '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'
  const claims = { type: 'message', chain: null, network: null, effects: [], effects_sha256 }
  expect((await verify({ receipt: boot.receipt(claims) })).verdict).toBe('verified')
})

const { decision } = payload as Receipt
const layers = decision?.layers
const row = { asset: 'ETH', spent_before: '0', spent_after: '1' }

test.each<[string, object]>([
  ['fee', { fee: { asset: 'ETH' } }],
  ['fee', { fee: { asset: 'ETH', amount: '-1' } }],
  ['fee', { fee: { asset: 'ETH', amount: 1 } }],
  ['decision', { decision: {} }],
  ['decision', { decision: { ...decision, more: null } }],
  ['decision', { decision: { ...decision, layers: { ...layers, session: '1' } } }],
  ['decision', { decision: { ...decision, layers: { ...layers, session: 1.5 } } }],
  ['decision', { decision: { ...decision, layers: { organization: null, agent: null, session: null } } }],
  ['decision', { decision: { ...decision, policy_version: -1 } }],
  ['decision', { decision: { ...decision, authorization_sha256: 'ab' } }],
  ['decision', { decision: { ...decision, approval_sha256: 'A'.repeat(64) } }],
  ['budget', { budget: {} }],
  ['budget', { budget: [{ asset: 'ETH' }] }],
  ['budget', { budget: [{ ...row, spent_after: null }] }],
  ['budget', { budget: [{ ...row, spent_after: '01' }] }],
  ['budget', { budget: [row, { ...row, more: '1' }] }],
])(
  'a payload with a %s of another form is not a receipt, even by an attested key',
  async (member, change) => {
    const report = await verify({ receipt: boot.receipt(change) })
    expect(report).toMatchObject({ verdict: 'failed', receipt: undefined })
    expect(report.findings.map(({ message }) => message).join()).toContain(`(${member})`)
  },
)

test('versions, hashes and sums are read in their forms', async () => {
  const full = {
    decision: {
      layers: { organization: 0, wallet: 1, agent: 2, session: 3 },
      policy_version: 3,
      authorization_sha256: 'ab'.repeat(32),
      approval_sha256: 'cd'.repeat(32),
    },
    budget: [row, { ...row, asset: 'base 0x1' }],
    fee: null,
  }
  expect((await verify({ receipt: boot.receipt(full) })).verdict).toBe('verified')
})
