import { inspect } from 'node:util'
import type { EnvelopeContext, KeyPurpose, WrappedKey } from '@symbolon/crypto/node'
import { describe, expect, test } from 'vitest'
import type { Kms } from './kms.ts'

const contextOf = (purpose: KeyPurpose): EnvelopeContext => ({
  organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  purpose,
  shareIndex: 2,
  polynomialVersion: 1,
})
const context = contextOf('tee-b')
const coded = (code: unknown) => expect.objectContaining({ name: 'KmsError', code })
const refused = coded(expect.stringMatching(/^(unauthenticated|unknown_key|invalid_request)$/))

const otherContexts: [string, EnvelopeContext][] = [
  ['organization', { ...context, organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398e' }],
  ['wallet', { ...context, walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073991' }],
  ['purpose', { ...context, purpose: 'provider' }],
  ['share index', { ...context, shareIndex: 1 }],
  ['polynomial version', { ...context, polynomialVersion: 2 }],
]

const purposes: KeyPurpose[] = ['provider', 'recovery', 'tee-b', 'webhook', 'pii']
const alterations: [string, (key: WrappedKey) => WrappedKey][] = [
  ['key id', (key) => ({ ...key, keyId: `${key.keyId}x` })],
  ['key version', (key) => ({ ...key, keyVersion: key.keyVersion + 1 })],
  ['purpose', (key) => ({ ...key, purpose: 'recovery' })],
  ['empty ciphertext', (key) => ({ ...key, wrapped: new Uint8Array() })],
  ['shorter ciphertext', (key) => ({ ...key, wrapped: key.wrapped.slice(1) })],
  [
    'changed ciphertext',
    (key) => ({ ...key, wrapped: key.wrapped.map((byte, i) => (i === 20 ? byte ^ 1 : byte)) }),
  ],
]
/** What the contract needs of an adapter's fixture. */
export type KmsFixture = {
  /** A working KMS, alone or together with others on the same keys. */
  open(): Promise<Kms>
  /** One whose service is away, or takes a call and never answers. */
  openOutOfReach(): Promise<Kms>
  /** One over a service that has none of its keys, and how many it has. */
  openWithoutKeys(): Promise<{ kms: Kms; keys(): Promise<number> }>
  /** Credentials of the fixture, which no error may show. */
  secrets: readonly string[]
}

/** Registers the tests that every KMS adapter passes. */
export function kmsContract(name: string, fixture: KmsFixture): void {
  const open = () => fixture.open()
  describe(`${name} as KMS`, () => {
    test.each(purposes)('a data key of purpose %s has 32 bytes and comes back', async (purpose) => {
      const kms = await open()
      const { dataKey, wrappedKey } = await kms.generateDataKey(purpose, contextOf(purpose))
      expect(dataKey.length).toBe(32)
      expect(wrappedKey).toMatchObject({ purpose, keyVersion: await kms.currentVersion(purpose) })
      expect(await kms.unwrap(wrappedKey, contextOf(purpose))).toEqual(dataKey)
    })

    test('data keys differ, and the wrapped form does not hold the key', async () => {
      const kms = await open()
      const [one, two] = [
        await kms.generateDataKey('tee-b', context),
        await kms.generateDataKey('tee-b', context),
      ]
      expect(one.dataKey).not.toEqual(two.dataKey)
      const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
      expect(hex(one.wrappedKey.wrapped)).not.toContain(hex(one.dataKey))
    })

    test('the purpose asked for must be that of the context', async () => {
      const kms = await open()
      await expect(kms.generateDataKey('provider', context)).rejects.toThrow(coded('invalid_request'))
    })

    rowContract(open)
    rotationContract(open)
    secrecyContract(fixture)
    reachContract(fixture)
    absenceContract(fixture)

    test('the key of the enclave is not here', async () => {
      const kms = await open()
      await expect(kms.generateDataKey('tee-a', contextOf('tee-a'))).rejects.toThrow(coded('unknown_key'))
      await expect(kms.rotate('tee-a')).rejects.toThrow(coded('unknown_key'))
      await expect(kms.currentVersion('tee-a')).rejects.toThrow(coded('unknown_key'))
    })

    test('it answers a ping', async () => {
      await (await open()).ping()
    })
  })
}

function rowContract(open: () => Promise<Kms>): void {
  test.each(otherContexts)('a wrapped key neither unwraps nor rewraps for another %s', async (_, other) => {
    const kms = await open()
    const { wrappedKey } = await kms.generateDataKey('tee-b', context)
    await expect(kms.unwrap(wrappedKey, other)).rejects.toThrow(refused)
    await expect(kms.rewrap(wrappedKey, other)).rejects.toThrow(refused)
  })

  test.each(alterations)('a wrapped key with another %s is refused', async (_, alter) => {
    const kms = await open()
    const { wrappedKey } = await kms.generateDataKey('tee-b', context)
    await expect(kms.unwrap(alter(wrappedKey), context)).rejects.toThrow(refused)
    await expect(kms.rewrap(alter(wrappedKey), context)).rejects.toThrow(refused)
  })

  test('a wrapped key of a key id that the KMS has not is unknown', async () => {
    const kms = await open()
    const { wrappedKey } = await kms.generateDataKey('tee-b', context)
    const foreign = { ...wrappedKey, keyId: `${wrappedKey.keyId}-of-another-installation` }
    await expect(kms.unwrap(foreign, context)).rejects.toThrow(coded('unknown_key'))
    await expect(kms.rewrap(foreign, context)).rejects.toThrow(coded('unknown_key'))
  })
}

function rotationContract(open: () => Promise<Kms>): void {
  test('after a rotation new keys are of the new version, old ones unwrap, and rewrapping moves them', async () => {
    const kms = await open()
    const old = await kms.generateDataKey('tee-b', context)
    const before = await kms.currentVersion('tee-b')
    expect(await kms.rotate('tee-b')).toMatchObject({ version: before + 1 })
    expect(await kms.currentVersion('tee-b')).toBe(before + 1)
    expect((await kms.generateDataKey('tee-b', context)).wrappedKey.keyVersion).toBe(before + 1)
    expect(await kms.unwrap(old.wrappedKey, context)).toEqual(old.dataKey)
    const rewrapped = await kms.rewrap(old.wrappedKey, context)
    expect(rewrapped).toMatchObject({ purpose: 'tee-b', keyVersion: before + 1 })
    expect(await kms.unwrap(rewrapped, context)).toEqual(old.dataKey)
  })

  test('a rotation seen by one process is seen by the others', async () => {
    const [one, two] = [await open(), await open()]
    const { version } = await one.rotate('tee-b')
    const { dataKey, wrappedKey } = await one.generateDataKey('tee-b', context)
    expect(await two.unwrap(wrappedKey, context)).toEqual(dataKey)
    expect(await two.currentVersion('tee-b')).toBe(version)
    expect((await two.generateDataKey('tee-b', context)).wrappedKey.keyVersion).toBe(version)
  })

  test('a rotation of one purpose leaves the others as they are', async () => {
    const kms = await open()
    const before = await kms.currentVersion('pii')
    await kms.rotate('tee-b')
    expect(await kms.currentVersion('pii')).toBe(before)
  })
}

const answerMaxMs = 4_000
/** Every way to ask a KMS for work, on a key that some KMS wrapped. */
const calls = (kms: Kms, wrappedKey: WrappedKey): (() => Promise<unknown>)[] => [
  () => kms.generateDataKey('tee-b', context),
  () => kms.unwrap(wrappedKey, context),
  () => kms.rewrap(wrappedKey, context),
  () => kms.rotate('tee-b'),
  () => kms.currentVersion('tee-b'),
  () => kms.ping(),
]

function secrecyContract({ open, secrets }: KmsFixture): void {
  test('a wiped data key is gone from the caller alone', async () => {
    const kms = await open()
    const { dataKey, wrappedKey } = await kms.generateDataKey('tee-b', context)
    const copy = Uint8Array.from(dataKey)
    dataKey.fill(0)
    const opened = await kms.unwrap(wrappedKey, context)
    expect(opened).toEqual(copy)
    opened.fill(0)
    expect(await kms.unwrap(wrappedKey, context)).toEqual(copy)
  })

  test('no refusal shows a data key or a credential', async () => {
    const kms = await open()
    const { dataKey, wrappedKey } = await kms.generateDataKey('tee-b', context)
    const refusals = [
      ...otherContexts.map(([, other]) => kms.unwrap(wrappedKey, other)),
      ...alterations.map(([, alter]) => kms.rewrap(alter(wrappedKey), context)),
    ]
    for (const outcome of await Promise.allSettled(refusals)) {
      expect(outcome.status).toBe('rejected')
      expectNone(outcome, [...formsOf(dataKey), ...secrets])
    }
  })
}

const formsOf = (key: Uint8Array) => {
  const bytes = Buffer.from(key)
  return [bytes.toString('hex'), bytes.toString('base64'), bytes.join(', ')]
}
const expectNone = (value: unknown, hidden: readonly string[]) => {
  const shown = inspect(value, { depth: 20, showHidden: true, maxArrayLength: null })
  for (const secret of hidden) expect(shown).not.toContain(secret)
}

function reachContract({ open, openOutOfReach, secrets }: KmsFixture): void {
  test('out of reach, every call is unavailable within 4 s, and no error shows a data key or a credential', async () => {
    const { dataKey, wrappedKey } = await (await open()).generateDataKey('tee-b', context)
    const away = await openOutOfReach()
    const startedAt = performance.now()
    for (const outcome of await Promise.allSettled(calls(away, wrappedKey).map((call) => call()))) {
      expect(outcome).toEqual({ status: 'rejected', reason: coded('unavailable') })
      expectNone(outcome, [...formsOf(dataKey), ...secrets])
    }
    expect(performance.now() - startedAt).toBeLessThan(answerMaxMs)
  })
}

function absenceContract({ open, openWithoutKeys }: KmsFixture): void {
  test('a key that does not exist is unknown, keeps the KMS from being ready, and is not made', async () => {
    const { wrappedKey } = await (await open()).generateDataKey('tee-b', context)
    const { kms, keys } = await openWithoutKeys()
    expect(await keys()).toBe(0)
    for (const call of calls(kms, wrappedKey)) await expect(call()).rejects.toThrow(coded('unknown_key'))
    expect(await keys()).toBe(0)
  })

  test('the id of a key is the one that its envelopes name, the same in every process', async () => {
    const [one, two] = [await open(), await open()]
    for (const purpose of purposes) {
      const { wrappedKey } = await one.generateDataKey(purpose, contextOf(purpose))
      expect(await one.keyId(purpose)).toBe(wrappedKey.keyId)
      expect(await two.keyId(purpose)).toBe(wrappedKey.keyId)
    }
    await expect(one.keyId('tee-a')).rejects.toThrow(coded('unknown_key'))
  })
}
