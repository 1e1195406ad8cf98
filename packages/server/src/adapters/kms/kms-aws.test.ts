import { inspect } from 'node:util'
import type { EnvelopeContext } from '@symbolon/crypto/node'
import { awsKey, type FakeAwsKms, startFakeAwsKms } from '@symbolon/testing/kms'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { kmsContract } from '../../ports/kms.contract.ts'
import { type ApiPurpose, apiPurposes } from './key-service.ts'
import { kmsAws } from './kms-aws.ts'
import { remoteKms } from './remote-kms.ts'

const region = 'eu-central-1'
const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'planted/secret+of+the+fixture' }
const arnOf = (purpose: ApiPurpose) => `arn:aws:kms:${region}:111122223333:key/symbolon-${purpose}`
const keys = Object.fromEntries(apiPurposes.map((purpose) => [purpose, arnOf(purpose)])) as Record<
  ApiPurpose,
  string
>
const context: EnvelopeContext = {
  organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  purpose: 'tee-b',
  shareIndex: 2,
  polynomialVersion: 1,
}
const coded = (code: string) => expect.objectContaining({ name: 'KmsError', code })

async function serviceWithKeys(): Promise<FakeAwsKms> {
  const service = await startFakeAwsKms({ ...credentials, region })
  for (const arn of Object.values(keys)) service.keys.set(arn, awsKey())
  return service
}
const kmsOf = async ({ endpoint }: FakeAwsKms, given = credentials) =>
  remoteKms(await kmsAws({ region, keys }, { endpoint, credentials: given }))

describe('the protocol', () => {
  let service: FakeAwsKms
  let away: FakeAwsKms
  let empty: FakeAwsKms
  beforeAll(async () => {
    service = await serviceWithKeys()
    away = await serviceWithKeys()
    away.hang()
    empty = await startFakeAwsKms({ ...credentials, region })
  })
  afterAll(() => Promise.all([service, away, empty].map((one) => one.stop())))

  kmsContract('AWS KMS', {
    open: () => kmsOf(service),
    openOutOfReach: () => kmsOf(away),
    openWithoutKeys: async () => ({ kms: await kmsOf(empty), keys: async () => empty.keys.size }),
    secrets: [credentials.secretAccessKey],
  })
})

describe('AWS KMS', () => {
  let service: FakeAwsKms
  beforeEach(async () => {
    service = await serviceWithKeys()
  })
  afterEach(() => service.stop())

  test('numbers key materials by their rotations, over several pages and whoever rotates', async () => {
    const kms = await kmsOf(service)
    const made = [await kms.generateDataKey('tee-b', context)]
    for (let version = 2; version <= 5; version++) {
      await (await kmsOf(service)).rotate('tee-b')
      made.push(await kms.generateDataKey('tee-b', context))
    }
    expect(made.map(({ wrappedKey }) => wrappedKey.keyVersion)).toEqual([1, 2, 3, 4, 5])
    const fresh = await kmsOf(service)
    expect(await fresh.currentVersion('tee-b')).toBe(5)
    for (const { dataKey, wrappedKey } of made)
      expect(await fresh.unwrap(wrappedKey, context)).toEqual(dataKey)
  })

  test('lists rotations once, not for every data key', async () => {
    const kms = await kmsOf(service)
    for (let i = 0; i < 3; i++) await kms.generateDataKey('tee-b', context)
    expect(service.operations.filter((operation) => operation === 'ListKeyRotations')).toHaveLength(1)
  })

  test('refuses a wrong secret, and it is unavailable', async () => {
    const kms = await kmsOf(service, { ...credentials, secretAccessKey: 'another' })
    await expect(kms.generateDataKey('tee-b', context)).rejects.toThrow(coded('unavailable'))
    expect(service.operations).toEqual(Array(3).fill('GenerateDataKey: InvalidSignatureException'))
  })

  test('that throttles twice is asked a third time, and for a rotation only once', async () => {
    const kms = await kmsOf(service)
    const { dataKey, wrappedKey } = await kms.generateDataKey('tee-b', context)
    service.fail('ThrottlingException', 400, 2)
    expect(await kms.unwrap(wrappedKey, context)).toEqual(dataKey)
    service.operations.length = 0
    service.fail('KMSInternalException', 500, 1)
    await expect(kms.rotate('tee-b')).rejects.toThrow(coded('unavailable'))
    expect(service.operations).toHaveLength(1)
  })

  test.each(['{"Plaintext":"cGxhbnRlZA==', '{"Plaintext":"cGxhbnRlZA=="}', '{"Plaintext":["cGxhbnRlZA=="]}'])(
    'that answers %s is unavailable, and no error shows what it said',
    async (answer) => {
      const kms = await kmsOf(service)
      service.babble(answer)
      const error: unknown = await kms.generateDataKey('tee-b', context).catch((thrown: unknown) => thrown)
      expect(error).toEqual(coded('unavailable'))
      expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/cGxhbnRlZA|planted/)
    },
  )

  test('with a disabled key is not ready, and unavailable', async () => {
    service.keys.set(arnOf('recovery'), { ...awsKey(), state: 'Disabled' })
    const kms = await kmsOf(service)
    await expect(kms.ping()).rejects.toThrow(coded('unavailable'))
    const recovery = { ...context, purpose: 'recovery' } as const
    await expect(kms.generateDataKey('recovery', recovery)).rejects.toThrow(coded('unavailable'))
  })
})
