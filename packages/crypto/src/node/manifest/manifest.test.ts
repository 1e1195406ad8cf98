import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { manifestSha256 } from '../../attestation/user-data.ts'
import type { PublicJwk } from '../../jwk.ts'
import { type Manifest, type ManifestContent, ManifestError, readManifest } from './manifest.ts'
import {
  assertFollows,
  firstManifest,
  nextManifest,
  readManifestChain,
  signManifest,
} from './manifest-chain.ts'

const jwkOf = (key: KeyObject): PublicJwk => key.export({ format: 'jwk' }) as PublicJwk
const newOperator = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const apiJwk = (): PublicJwk => jwkOf(generateKeyPairSync('x25519').publicKey)

const ringId = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
const otherRing = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
const operators = [newOperator(), newOperator(), newOperator()]
const stranger = newOperator()
const signers = (...indexes: number[]) => indexes.map((i) => operators[i]?.privateKey ?? stranger.privateKey)

const content: ManifestContent = {
  images: [
    { version: '1.2.3', pcr0: '0a'.repeat(48), pcr1: '1b'.repeat(48), pcr2: '2c'.repeat(48), pcr8: null },
  ],
  api_keys: [apiJwk(), apiJwk()],
  operators: operators.map(({ publicKey }) => jwkOf(publicKey)),
  quorum: { k: 2, n: 3 },
  configuration: {
    state_acceptance: 'operators',
    base_url: 'https://wallets.example',
    frame_url: null,
    frame_sha256: 'ab'.repeat(32),
    chains_sha256: null,
    tokens_sha256: null,
    clear_signing_root: null,
    price_keys: [],
  },
}
const first = firstManifest(ringId, content)
const second = nextManifest(first, { ...content, api_keys: [apiJwk()] }, signers(0, 2))

/** As it comes out of a file. */
const copy = <value>(value: value): value => JSON.parse(JSON.stringify(value)) as value

/** The paths of everything in a value: objects, lists and what they hold. */
function paths(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([name, member]) => paths(member, [...at, name]))]
}

function changed(manifest: Manifest, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const root = { manifest: copy(manifest) as unknown }
  let owner = root as unknown as Record<string, unknown>
  const whole = ['manifest', ...path]
  for (const name of whole.slice(0, -1)) owner = owner[name] as Record<string, unknown>
  const last = whole.at(-1) ?? ''
  owner[last] = change(owner[last])
  return root.manifest
}

const isRefused = (values: readonly unknown[], ring = ringId): boolean => {
  try {
    readManifestChain(values, ring)
    return false
  } catch (error) {
    if (error instanceof ManifestError) return true
    throw error
  }
}

test('a chain is read from its JSON, and its newest manifest counts', () => {
  expect(readManifestChain([copy(first)], ringId)).toEqual(first)
  expect(readManifestChain(copy([first, second]), ringId)).toEqual(second)
  const third = nextManifest(second, content, signers(0, 1, 2))
  expect(readManifestChain([first, second, third], ringId)).toEqual(third)
  expect(third.previous_sha256).toBe(manifestSha256(second))
})

test('any change of any member of a signed manifest is refused', () => {
  const change = fc.constantFrom<(value: unknown) => unknown>(
    () => null,
    () => undefined,
    () => ({}),
    () => [],
    () => 'ab'.repeat(32),
    (value) => (typeof value === 'number' ? value + 1 : 7),
    (value) => (typeof value === 'string' ? `${value.slice(0, -1)}${value.endsWith('A') ? 'E' : 'A'}` : 'A'),
    (value) => (typeof value === 'string' ? value.replace(/^./, (one) => (one === 'b' ? 'c' : 'b')) : 'b'),
    (value) => (Array.isArray(value) ? [...value, ...value] : { ...(value as object), more: 1 }),
    (value) => (Array.isArray(value) ? value.slice(1) : value === null ? 'x' : null),
  )
  fc.assert(
    fc.property(fc.constantFrom(...paths(second)), change, (path, by) => {
      const other = changed(second, path, by)
      fc.pre(JSON.stringify(other) !== JSON.stringify(second))
      expect(isRefused([first, other])).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('any change of the first manifest breaks the chain after it', () => {
  for (const path of paths(first)) {
    const other = changed(first, path, (value) => (typeof value === 'string' ? `${value}A` : null))
    if (JSON.stringify(other) !== JSON.stringify(first))
      expect(isRefused([other, second]), path.join()).toBe(true)
  }
})

test('the operators of the manifest before sign, at least k of them, each once, and nobody else', () => {
  const draft = { ...second, signatures: [] }
  const by = (...keys: KeyObject[]) => {
    const signatures = keys.map((key) => signManifest(draft, key)).sort((a, b) => (a.kid < b.kid ? -1 : 1))
    return [first, { ...second, signatures }]
  }
  expect(isRefused(by(...signers(1, 2)))).toBe(false)
  expect(isRefused(by(...signers(0, 1, 2)))).toBe(false)
  expect(isRefused(by(...signers(0)))).toBe(true)
  expect(isRefused(by())).toBe(true)
  expect(isRefused(by(...signers(0, 0)))).toBe(true)
  expect(isRefused(by(...signers(0, 9)))).toBe(true)
  // Not even beside enough of them.
  expect(isRefused(by(...signers(0, 1, 9)))).toBe(true)
  // A signature of another manifest.
  const elsewhere = signManifest(
    { ...draft, api_keys: content.api_keys },
    operators[1]?.privateKey ?? stranger.privateKey,
  )
  const [own] = second.signatures
  expect(
    own &&
      isRefused([
        first,
        { ...second, signatures: [own, elsewhere].sort((a, b) => (a.kid < b.kid ? -1 : 1)) },
      ]),
  ).toBe(true)
  // The new operators do not vote themselves in.
  const coup = { ...content, operators: [jwkOf(stranger.publicKey)], quorum: { k: 1, n: 1 } }
  expect(() => nextManifest(first, coup, [stranger.privateKey])).toThrow(ManifestError)
  const handed = nextManifest(first, coup, signers(0, 1))
  expect(() => nextManifest(handed, content, signers(0, 1))).toThrow(ManifestError)
  expect(isRefused([first, handed, nextManifest(handed, content, [stranger.privateKey])])).toBe(false)
})

test('a signature has one form alone', () => {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const signatures = second.signatures.map(({ kid, signature }, i) => {
    const bytes = Buffer.from(signature, 'base64url')
    const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
    const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
    return { kid, signature: i === 0 ? other.toString('base64url') : signature }
  })
  expect(isRefused([first, { ...second, signatures }])).toBe(true)
})

test('no version is skipped, repeated, left out or of another ring', () => {
  const third = nextManifest(second, content, signers(0, 1))
  expect(isRefused([])).toBe(true)
  expect(isRefused([second])).toBe(true)
  expect(isRefused([first, third])).toBe(true)
  expect(isRefused([first, first])).toBe(true)
  expect(isRefused([first, second, second])).toBe(true)
  expect(isRefused([first, second], otherRing)).toBe(true)
  const elsewhere = firstManifest(otherRing, content)
  expect(isRefused([first, nextManifest(elsewhere, content, signers(0, 1))])).toBe(true)
  const skipped = { ...second, version: 3 }
  const signatures = signers(0, 1)
    .map((key) => signManifest(skipped, key))
    .sort((a, b) => (a.kid < b.kid ? -1 : 1))
  expect(() => assertFollows({ ...skipped, signatures }, first)).toThrow('not the next version')
})

test.each<[string, unknown]>([
  ['no object', [first]],
  ['an unknown member', { ...first, more: 1 }],
  ['an own __proto__', JSON.parse(`{"__proto__":{},${JSON.stringify(first).slice(1)}`)],
  ['too many images', { ...first, images: Array(33).fill(content.images[0]) }],
  ['too many API keys', { ...first, api_keys: Array.from({ length: 17 }, apiJwk) }],
  ['no API key', { ...first, api_keys: [] }],
  ['an API key twice', { ...first, api_keys: [content.api_keys[0], content.api_keys[0]] }],
  ['a private API key', { ...first, api_keys: [{ ...apiJwk(), d: 'A'.repeat(43) }] }],
  [
    'an operator off the curve',
    { ...first, operators: content.operators.map((jwk) => ({ ...jwk, x: 'A'.repeat(43) })) },
  ],
  ['an n that is not the number of operators', { ...first, quorum: { k: 2, n: 4 } }],
  ['a k above n', { ...first, quorum: { k: 4, n: 3 } }],
  ['a k of zero', { ...first, quorum: { k: 0, n: 3 } }],
  ['a fractional version', { ...first, version: 1.5 }],
  [
    'an address of 3,000 characters',
    { ...first, configuration: { ...content.configuration, base_url: `https://${'a'.repeat(3_000)}` } },
  ],
  [
    'a script as address',
    { ...first, configuration: { ...content.configuration, base_url: 'javascript:0' } },
  ],
])('%s is not a manifest', (_, value) => {
  expect(() => readManifest(value)).toThrow(ManifestError)
})
