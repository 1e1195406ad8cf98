import { createHash, generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import {
  type CertificateInput,
  type DocumentInput,
  issue,
  simulatedChain,
  simulatedDocument,
  simulatedMeasurements,
  simulatedRoot,
} from '@symbolon/dev/testing/attestation'
import { propertyRuns } from '@symbolon/testing/properties'
import { encode } from 'cborg'
import { describe, expect, test } from 'vitest'
import { AttestationError } from './attestation-error.ts'
import { attestedEnclave } from './attested-enclave.ts'
import { type AttestationPolicy, awsNitroRootSha256, nitroPolicy, simulatedPolicy } from './policy.ts'

const now = Date.UTC(2026, 10, 20)
const hourMs = 3_600_000
const root = simulatedRoot(now)
const chain = simulatedChain(root, now)
const measurements = Object.fromEntries(
  [...simulatedMeasurements].map(([index, bytes]) => [index, Buffer.from(bytes).toString('hex')]),
)
const policy = simulatedPolicy(root.certificate, [measurements])
const request = { publicKey: randomBytes(32), nonce: randomBytes(32), userData: randomBytes(32) }
const challenge = { nonce: request.nonce, userData: request.userData, now }

const document = (input: Partial<DocumentInput> = {}, asked: Partial<typeof request> = request) =>
  simulatedDocument(asked, { chain, nowMs: now, ...input })
const verified = (bytes: Uint8Array, changed: Partial<AttestationPolicy> = {}, at = now) =>
  attestedEnclave(bytes, { ...policy, ...changed }, { ...challenge, now: at })
const codeOf = async (act: () => Promise<unknown>): Promise<string> => {
  try {
    await act()
  } catch (error) {
    if (error instanceof AttestationError) return error.code
    throw error
  }
  return 'accepted'
}

test('a good document is accepted, tagged or bare, its map definite or not', async () => {
  for (const input of [{}, { isTagged: true }, { isIndefinite: false }]) {
    const attested = await verified(document(input))
    expect(Buffer.from(attested.publicKey)).toEqual(request.publicKey)
    expect(attested).toMatchObject({ simulated: true, measurements })
  }
})

test('a document that the simulation made is never accepted by the production policy', async () => {
  expect(await codeOf(() => attestedEnclave(document(), nitroPolicy([measurements]), challenge))).toBe(
    'root_mismatch',
  )
  expect(nitroPolicy([measurements]).simulated).toBe(false)
  expect(Buffer.from(nitroPolicy([measurements]).rootSha256).toString('hex')).toBe(awsNitroRootSha256)
})

test('policies need measurements of image, kernel and application, and a simulated root says so', () => {
  for (const bad of [
    [],
    [{}],
    [{ 0: measurements[0] ?? '' }],
    [{ ...measurements, 1: '00'.repeat(48) }],
    [{ ...measurements, 2: 'xx' }],
  ]) {
    expect(() => nitroPolicy(bad)).toThrow(TypeError)
    expect(() => simulatedPolicy(root.certificate, bad)).toThrow(TypeError)
  }
  // Same length as the mark, so that the DER stays well-formed.
  const unmarked = Buffer.from(root.certificate.map((byte) => byte))
  for (let at = unmarked.indexOf('SIMULATED NOT AWS'); at >= 0; at = unmarked.indexOf('SIMULATED NOT AWS')) {
    unmarked.write('AMAZON TRUST SERV', at)
  }
  expect(() => simulatedPolicy(unmarked, [measurements])).toThrow(TypeError)
})

const set = (name: string, value: unknown) => ({
  change: (fields: Map<string, unknown>) => fields.set(name, value),
})
const otherKey = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey

const badDocuments: [string, () => Uint8Array, string][] = [
  ['empty', () => new Uint8Array(0), 'cbor'],
  ['cut short', () => document().subarray(0, 200), 'cbor'],
  ['followed by a byte', () => Buffer.concat([document(), Buffer.of(0)]), 'cbor'],
  ['larger than any real one', () => new Uint8Array(20_481), 'too_large'],
  ['not four parts', () => encode([1, 2, 3]), 'cose_shape'],
  ['of numbers', () => encode([1, 2, 3, 4]), 'cose_shape'],
  ['ES256', () => document({ algorithm: -7 }), 'cose_algorithm'],
  ['no algorithm', () => document({ algorithm: 0 }), 'cose_algorithm'],
  [
    'with unprotected headers',
    () => encode([encode(new Map([[1, -35]])), new Map([[4, 1]]), Buffer.of(1), new Uint8Array(96)]),
    'cose_headers',
  ],
  [
    'with a short signature',
    () => encode([encode(new Map([[1, -35]])), new Map(), Buffer.of(1), new Uint8Array(95)]),
    'cose_shape',
  ],
  ['signed by another key', () => document({ signingKey: otherKey }), 'cose_signature'],
  ['with an unknown field', () => document(set('more', 1)), 'document_field'],
  ['without a module id', () => document(set('module_id', '')), 'document_field'],
  ['with another digest', () => document(set('digest', 'SHA256')), 'document_field'],
  ['with timestamp zero', () => document(set('timestamp', 0)), 'document_field'],
  ['with a text for a timestamp', () => document(set('timestamp', '1')), 'document_field'],
  ['without registers', () => document(set('pcrs', new Map())), 'document_field'],
  ['with a register 32', () => document(set('pcrs', new Map([[32, new Uint8Array(48)]]))), 'document_field'],
  [
    'with a short register',
    () => document(set('pcrs', new Map([[0, new Uint8Array(32)]]))),
    'document_field',
  ],
  ['without a certificate', () => document(set('certificate', null)), 'document_field'],
  ['with an empty bundle', () => document(set('cabundle', [])), 'document_field'],
  [
    'with a bundle too long',
    () => document(set('cabundle', Array(7).fill(root.certificate))),
    'document_field',
  ],
  [
    'with a certificate that is none',
    () => document(set('certificate', Buffer.of(0x30, 0))),
    'certificate_parse',
  ],
  ['with a nonce too long', () => document(set('nonce', new Uint8Array(513))), 'document_field'],
  ['whose payload is not a map', () => resigned(encode([1])), 'document_shape'],
  ['whose payload has a key twice', () => resigned(Buffer.from('a2616101616102', 'hex')), 'cbor'],
  ['whose payload has a number in a long form', () => resigned(Buffer.from('a161611801', 'hex')), 'cbor'],
  ['for another nonce', () => document({}, { ...request, nonce: randomBytes(32) }), 'nonce_mismatch'],
  [
    'without a nonce',
    () => document({}, { publicKey: request.publicKey, userData: request.userData }),
    'nonce_mismatch',
  ],
  ['for another phase', () => document({}, { ...request, userData: randomBytes(32) }), 'binding_mismatch'],
  [
    'without a binding',
    () => document({}, { publicKey: request.publicKey, nonce: request.nonce }),
    'binding_mismatch',
  ],
  ['without a key', () => document({}, { nonce: request.nonce, userData: request.userData }), 'public_key'],
  ['with a key of 33 bytes', () => document({}, { ...request, publicKey: randomBytes(33) }), 'public_key'],
  [
    'with registers of another image',
    () => document({ measurements: new Map([...simulatedMeasurements, [0, randomBytes(48)]]) }),
    'measurement_mismatch',
  ],
  ['in debug mode', () => document({ measurements: new Map() }), 'debug_mode'],
  [
    'with one zero register',
    () => document({ measurements: new Map([...simulatedMeasurements, [2, new Uint8Array(48)]]) }),
    'debug_mode',
  ],
]

function resigned(payload: Uint8Array): Uint8Array {
  return encode([encode(new Map([[1, -35]])), new Map(), payload, new Uint8Array(96)])
}

test.each(badDocuments)('a document %s is refused', async (_name, make, code) => {
  expect(await codeOf(() => verified(make()))).toBe(code)
})

test('a document is refused when old or from the future, beyond the skew of clocks', async () => {
  expect(await codeOf(() => verified(document({ nowMs: now - 60_001 })))).toBe('document_stale')
  expect(await codeOf(() => verified(document({ nowMs: now - 59_000 })))).toBe('accepted')
  expect(await codeOf(() => verified(document({ nowMs: now + 30_001 })))).toBe('document_future')
  expect(await codeOf(() => verified(document({ nowMs: now + 29_000 })))).toBe('accepted')
})

describe('a chain', () => {
  const times = { notBeforeMs: now - hourMs, notAfterMs: now + hourMs }
  const authority = (input: Partial<CertificateInput> = {}) =>
    issue({ name: 'intermediate', issuer: root, authority: { pathLength: 0 }, ...times, ...input })
  const leafOf = (issuer: ReturnType<typeof issue>, input: Partial<CertificateInput> = {}) =>
    issue({ name: 'leaf', issuer, ...times, ...input })
  const withChain = (bundle: Uint8Array[], leaf: ReturnType<typeof issue>) =>
    document({ chain: { bundle, leaf } })
  const chainOf = (between: ReturnType<typeof issue>, leaf = leafOf(between)) =>
    withChain([root.certificate, between.certificate], leaf)
  const evilRoot = simulatedRoot(now)
  const evil = simulatedChain(evilRoot, now)
  const withPath = (pathLength: number) => {
    const first = authority({ authority: { pathLength } })
    const second = authority({ name: 'second', issuer: first })
    return withChain([root.certificate, first.certificate, second.certificate], leafOf(second))
  }
  const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

  const patched = (from: string, to: string) => {
    const between = authority()
    const hex = Buffer.from(between.certificate).toString('hex').replaceAll(from, to)
    return { ...between, certificate: Buffer.from(hex, 'hex') }
  }
  const lengthened = () => {
    const between = authority()
    return { ...between, certificate: Buffer.concat([between.certificate, Buffer.of(0)]) }
  }

  const chains: [string, () => Uint8Array, string][] = [
    ['as it should be', () => chainOf(authority()), 'accepted'],
    ['under a root of its own', () => document({ chain: evil }), 'root_mismatch'],
    [
      'of a stranger below the pinned root',
      () => document({ chain: { ...evil, bundle: [root.certificate, ...evil.bundle.slice(1)] } }),
      'certificate_signature',
    ],
    [
      'with a stranger as leaf',
      () => document({ chain: { bundle: chain.bundle, leaf: evil.leaf } }),
      'certificate_signature',
    ],
    [
      'in reverse order',
      () => document({ chain: { bundle: [...chain.bundle].reverse(), leaf: chain.leaf } }),
      'root_mismatch',
    ],
    [
      'with a gap',
      () => document({ chain: { bundle: [root.certificate], leaf: chain.leaf } }),
      'certificate_name',
    ],
    [
      'with an expired intermediate',
      () => chainOf(authority({ notAfterMs: now - 1_000 })),
      'certificate_time',
    ],
    [
      'with a leaf not yet valid',
      () => chainOf(authority(), leafOf(authority(), { notBeforeMs: now + 2_000 })),
      'certificate_time',
    ],
    [
      'whose intermediate is not an authority',
      () => {
        const no = leafOf(root, { keyUsage: 0x04 })
        return chainOf(no)
      },
      'certificate_authority',
    ],
    [
      'whose intermediate may not sign certificates',
      () => chainOf(authority({ keyUsage: 0x80 })),
      'certificate_usage',
    ],
    [
      'whose leaf is an authority',
      () => {
        const up = authority()
        return chainOf(up, leafOf(up, { authority: {}, keyUsage: 0x84 }))
      },
      'certificate_authority',
    ],
    [
      'whose leaf may not sign',
      () => {
        const up = authority()
        return chainOf(up, leafOf(up, { keyUsage: 0x04 }))
      },
      'certificate_usage',
    ],
    ['longer than its authority allows', () => withPath(0), 'certificate_path_length'],
    ['just as long as its authority allows', () => withPath(1), 'accepted'],
    [
      'with a critical extension nobody knows',
      () => chainOf(authority({ unknownCritical: true })),
      'certificate_extension',
    ],
    ['with a key on another curve', () => chainOf(authority({ keys: p256 })), 'certificate_key'],
    [
      'with a certificate of version 2',
      () => chainOf(patched('a003020102', 'a003020101')),
      'certificate_version',
    ],
    [
      'signed with SHA-256',
      () => chainOf(patched('2a8648ce3d040303', '2a8648ce3d040302')),
      'certificate_algorithm',
    ],
    ['with a certificate followed by a byte', () => chainOf(lengthened()), 'certificate_parse'],
  ]
  test.each(chains)('is accepted or refused by the right code: %s', async (_name, make, code) => {
    expect(await codeOf(() => verified(make()))).toBe(code)
  })
})

test('an expired leaf is refused however fresh the document', async () => {
  const later = now + 8 * 24 * hourMs
  expect(await codeOf(() => verified(document({ nowMs: later }), {}, later))).toBe('certificate_time')
})

test('no change of one byte is ever accepted, nor fails in an unforeseen way', async () => {
  const good = document()
  for (let round = 0; round < propertyRuns(600); round++) {
    const bad = Uint8Array.from(good)
    const at = randomInt(bad.length)
    bad[at] = (bad[at] ?? 0) ^ randomInt(1, 256)
    expect(await codeOf(() => verified(bad)), `byte ${at}`).not.toBe('accepted')
  }
})

test('the pin is the hash of the whole root certificate', async () => {
  expect(Buffer.from(policy.rootSha256)).toEqual(createHash('sha256').update(root.certificate).digest())
  expect(await codeOf(() => verified(document(), { rootSha256: new Uint8Array(32) }))).toBe('root_mismatch')
})
