import { generateKeyPairSync } from 'node:crypto'
import type { EnvelopeContext } from '@symbolon/crypto/node'
import { type FakeGcpKms, gcpKey, startFakeGcpKms } from '@symbolon/testing/kms'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { kmsContract } from '../../ports/kms.contract.ts'
import { crc32c } from './crc32c.ts'
import { serviceAccount } from './google-token.ts'
import { apiPurposes } from './key-service.ts'
import { kmsGcp } from './kms-gcp.ts'
import { remoteKms } from './remote-kms.ts'

const prefix = 'projects/example/locations/europe-west3/keyRings/wallets/cryptoKeys/symbolon'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
const email = 'symbolon@example.iam.gserviceaccount.com'
const account = serviceAccount(
  JSON.stringify({ type: 'service_account', client_email: email, private_key_id: 'k1', private_key: pem }),
)
const context: EnvelopeContext = {
  organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  purpose: 'tee-b',
  shareIndex: 2,
  polynomialVersion: 1,
}
const coded = (code: string) => expect.objectContaining({ name: 'KmsError', code })

async function serviceWithKeys(): Promise<FakeGcpKms> {
  const service = await startFakeGcpKms({ account: { email, publicKey }, crc32c })
  for (const purpose of apiPurposes) service.keys.set(`${prefix}-${purpose}`, gcpKey())
  return service
}
const kmsOf = ({ url }: FakeGcpKms) => remoteKms(kmsGcp({ prefix, account }, { api: url, metadata: url }))

describe('the interface', () => {
  let service: FakeGcpKms
  let away: FakeGcpKms
  let empty: FakeGcpKms
  beforeAll(async () => {
    service = await serviceWithKeys()
    away = await serviceWithKeys()
    away.hang()
    empty = await startFakeGcpKms({ account: { email, publicKey }, crc32c })
  })
  afterAll(() => Promise.all([service, away, empty].map((one) => one.stop())))

  kmsContract('Google Cloud KMS', {
    open: async () => kmsOf(service),
    openOutOfReach: async () => kmsOf(away),
    openWithoutKeys: async () => ({ kms: kmsOf(empty), keys: async () => empty.keys.size }),
    secrets: [pem.split('\n')[1] ?? pem],
  })
})

describe('Google Cloud KMS', () => {
  let service: FakeGcpKms
  beforeEach(async () => {
    service = await serviceWithKeys()
  })
  afterEach(() => service.stop())

  test('an altered answer opens nothing: the call is repeated', async () => {
    const kms = kmsOf(service)
    service.corruptNext()
    const { dataKey, wrappedKey } = await kms.generateDataKey('tee-b', context)
    service.corruptNext()
    expect(await kms.unwrap(wrappedKey, context)).toEqual(dataKey)
    expect(service.requests.filter((request) => request.endsWith(':decrypt'))).toHaveLength(2)
  })

  test('a disabled version makes its data keys unavailable, not lost', async () => {
    const kms = kmsOf(service)
    const { dataKey, wrappedKey } = await kms.generateDataKey('tee-b', context)
    const [version] = service.keys.get(`${prefix}-tee-b`)?.versions ?? []
    Object.assign(version ?? {}, { state: 'DISABLED' })
    await expect(kms.unwrap(wrappedKey, context)).rejects.toThrow(coded('unavailable'))
    await expect(kms.ping()).rejects.toThrow(coded('unavailable'))
    Object.assign(version ?? {}, { state: 'ENABLED' })
    expect(await kms.unwrap(wrappedKey, context)).toEqual(dataKey)
  })

  test('without a key file the tokens are of the metadata server, and a refused one is replaced', async () => {
    const service = await startFakeGcpKms({ account: undefined, crc32c })
    try {
      for (const purpose of apiPurposes) service.keys.set(`${prefix}-${purpose}`, gcpKey())
      const kms = remoteKms(
        kmsGcp({ prefix, account: undefined }, { api: service.url, metadata: service.url }),
      )
      await kms.currentVersion('tee-b')
      await kms.currentVersion('tee-b')
      expect(service.tokens.size).toBe(1)
      service.tokens.clear()
      await kms.currentVersion('tee-b')
      await expect(kmsOf(service).currentVersion('tee-b')).rejects.toThrow(coded('unavailable'))
    } finally {
      await service.stop()
    }
  })
})
