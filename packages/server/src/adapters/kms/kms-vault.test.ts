import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { EnvelopeContext } from '@symbolon/crypto/node'
import { testAuthority } from '@symbolon/testing/database'
import { type FakeVault, startFakeVault, transitKey } from '@symbolon/testing/kms'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { kmsContract } from '../../ports/kms.contract.ts'
import { apiPurposes } from './key-service.ts'
import { kmsVault, type VaultConfig } from './kms-vault.ts'
import { remoteKms } from './remote-kms.ts'

const token = 'hvs.planted-token-of-the-fixture'
const context: EnvelopeContext = {
  organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  purpose: 'tee-b',
  shareIndex: 2,
  polynomialVersion: 1,
}
const coded = (code: string) => expect.objectContaining({ name: 'KmsError', code })

async function vaultWithKeys(...options: Parameters<typeof startFakeVault>): Promise<FakeVault> {
  const vault = await startFakeVault(...options)
  vault.tokens.set(token, '*')
  for (const purpose of apiPurposes) vault.keys.set(`symbolon-${purpose}`, transitKey())
  return vault
}

const configOf = ({ address }: FakeVault, more: Partial<VaultConfig> = {}): VaultConfig => ({
  address,
  mount: 'transit',
  prefix: 'symbolon',
  namespace: undefined,
  token: { value: token },
  ca: undefined,
  ...more,
})
const kmsOf = (vault: FakeVault, more: Partial<VaultConfig> = {}) =>
  remoteKms(kmsVault(configOf(vault, more)))

describe('transit', () => {
  let vault: FakeVault
  let away: FakeVault
  let empty: FakeVault
  beforeAll(async () => {
    vault = await vaultWithKeys({ namespace: 'wallets' })
    away = await startFakeVault({})
    away.fault({ kind: 'hang' })
    empty = await startFakeVault({ namespace: 'wallets' })
    empty.tokens.set(token, '*')
  })
  afterAll(() => Promise.all([vault, away, empty].map((one) => one.stop())))

  kmsContract('Vault', {
    open: async () => kmsOf(vault, { namespace: 'wallets' }),
    openOutOfReach: async () => kmsOf(away),
    openWithoutKeys: async () => ({
      kms: kmsOf(empty, { namespace: 'wallets' }),
      keys: async () => empty.keys.size,
    }),
    secrets: [token],
  })
})

describe('a transit engine', () => {
  let vault: FakeVault
  beforeEach(async () => {
    vault = await vaultWithKeys({})
  })
  afterEach(() => vault.stop())

  test.each([
    ['not derived', { derived: false }],
    ['convergent', { convergent: true }],
  ])('whose key is %s wraps nothing and is not ready', async (_, options) => {
    vault.keys.set('symbolon-tee-b', transitKey(options))
    const kms = kmsOf(vault)
    await expect(kms.generateDataKey('tee-b', context)).rejects.toThrow(coded('unavailable'))
    await expect(kms.ping()).rejects.toThrow(coded('unavailable'))
    expect(vault.requests.join()).not.toContain('datakey')
  })

  test('that lacks one key is not ready, and the other purposes work', async () => {
    vault.keys.delete('symbolon-recovery')
    const kms = kmsOf(vault)
    await expect(kms.ping()).rejects.toThrow(coded('unknown_key'))
    await kms.generateDataKey('tee-b', context)
  })

  test('whose old versions may not decrypt any more makes their data keys unknown', async () => {
    const kms = kmsOf(vault)
    const { wrappedKey } = await kms.generateDataKey('tee-b', context)
    await kms.rotate('tee-b')
    vault.keys.set('symbolon-tee-b', {
      ...transitKey(),
      ...vault.keys.get('symbolon-tee-b'),
      minDecryptionVersion: 2,
    })
    await expect(kms.unwrap(wrappedKey, context)).rejects.toThrow(coded('unknown_key'))
  })

  test('that hiccups twice is asked a third time, and one that stays down not a fourth', async () => {
    const kms = kmsOf(vault)
    const { dataKey, wrappedKey } = await kms.generateDataKey('tee-b', context)
    for (const fault of [{ kind: 'cut' }, { kind: 'status', status: 503 }] as const) {
      vault.fault(fault, 2)
      expect(await kms.unwrap(wrappedKey, context)).toEqual(dataKey)
    }
    vault.fault({ kind: 'status', status: 503 })
    const before = vault.requests.length
    await expect(kms.unwrap(wrappedKey, context)).rejects.toThrow(coded('unavailable'))
    expect(vault.requests.length - before).toBe(3)
  })

  test.each([
    '{"data":{"plaintext":"cGxhbnRlZA==',
    '{"data":{"plaintext":"cGxhbnRlZA=="}',
    '{"data":{"plaintext":"cGxhbnRlZA=="}}',
    '{"data":{"plaintext":["cGxhbnRlZA=="]}}',
  ])('that answers %s is unavailable, and no error shows what it said', async (text) => {
    const kms = kmsOf(vault)
    await kms.generateDataKey('tee-b', context)
    vault.fault({ kind: 'babble', text })
    const error: unknown = await kms.generateDataKey('tee-b', context).catch((thrown: unknown) => thrown)
    expect(error).toEqual(coded('unavailable'))
    expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/cGxhbnRlZA|planted/)
  })

  test('is asked for a rotation once, whatever becomes of it', async () => {
    const kms = kmsOf(vault)
    vault.fault({ kind: 'status', status: 503 })
    await expect(kms.rotate('tee-b')).rejects.toThrow(coded('unavailable'))
    expect(vault.requests).toHaveLength(1)
  })

  test('is not asked again for 5 s after a ping, unless a call fails', async () => {
    const kms = kmsOf(vault)
    await kms.ping()
    await kms.ping()
    expect(vault.requests).toHaveLength(apiPurposes.length)
    vault.fault({ kind: 'status', status: 503 })
    await expect(kms.currentVersion('tee-b')).rejects.toThrow(coded('unavailable'))
    await expect(kms.ping()).rejects.toThrow(coded('unavailable'))
    vault.heal()
    await kms.ping()
  })

  test('is called over connections that stay open', async () => {
    const kms = kmsOf(vault)
    for (let i = 0; i < 5; i++) await kms.generateDataKey('tee-b', context)
    expect(vault.connections()).toBe(1)
  })

  test('never sees a data key that it did not make, nor a call that makes a key', async () => {
    const kms = kmsOf(vault)
    const { wrappedKey } = await kms.generateDataKey('tee-b', context)
    await kms.rewrap(wrappedKey, context)
    await kms.unwrap(wrappedKey, context)
    await kms.rotate('tee-b')
    expect(new Set(vault.requests)).toEqual(
      new Set([
        'GET /v1/transit/keys/symbolon-tee-b',
        'POST /v1/transit/datakey/plaintext/symbolon-tee-b',
        'POST /v1/transit/rewrap/symbolon-tee-b',
        'POST /v1/transit/decrypt/symbolon-tee-b',
        'POST /v1/transit/keys/symbolon-tee-b/rotate',
      ]),
    )
  })
})

test('a refused token is read from its file again, and one that is still refused makes it unavailable', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'symbolon-vault-'))
  const vault = await vaultWithKeys({})
  try {
    const file = join(folder.path, 'token')
    writeFileSync(file, `${token}\n`)
    const kms = kmsOf(vault, { token: { file } })
    await kms.currentVersion('tee-b')
    vault.tokens.clear()
    vault.tokens.set('hvs.fresh', '*')
    await expect(kms.currentVersion('tee-b')).rejects.toThrow(coded('unavailable'))
    writeFileSync(file, 'hvs.fresh')
    vault.requests.length = 0
    await kms.rotate('tee-b')
    expect(vault.requests).toHaveLength(4)
    vault.requests.length = 0
    await kms.currentVersion('tee-b')
    expect(vault.requests).toHaveLength(1)
  } finally {
    await vault.stop()
  }
})

test('its certificate is checked against the given authority', async () => {
  const authority = testAuthority()
  const { key, certificate } = authority.issue('localhost')
  const vault = await vaultWithKeys({ tls: { key, cert: certificate } })
  try {
    await kmsOf(vault, { ca: authority.certificate }).generateDataKey('tee-b', context)
    const stranger = testAuthority().certificate
    for (const ca of [undefined, stranger])
      await expect(kmsOf(vault, { ca }).generateDataKey('tee-b', context)).rejects.toThrow(
        coded('unavailable'),
      )
    const before = vault.requests.length
    expect(before).toBe(2)
  } finally {
    await vault.stop()
  }
})
