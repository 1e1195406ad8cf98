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
/**
 * Registers the tests that every KMS adapter passes. `open` gives a working KMS, alone or together with others on the
 * same keys.
 */
export function kmsContract(name: string, open: () => Promise<Kms>): void {
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

    test('the purpose asked for must be that of the context', async () => {
      const kms = await open()
      await expect(kms.generateDataKey('provider', context)).rejects.toThrow(coded('invalid_request'))
    })

    rotationContract(open)

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
