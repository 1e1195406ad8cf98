import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FrameEnclave, JsonObject } from '@symbolon/iframe/protocol'
import { FrameFailure } from '@symbolon/iframe/testing'
import { login, makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { type EnclaveProcess, startEnclaveProcess } from '@symbolon/testing/enclave'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeviceOptions, enclaveInPage, inMode, newDevice, type Wire } from './vault-fixture.ts'

const curve = 'secp256k1'
let app: TestApp
let tenant: Tenant
let enclave: FrameEnclave

beforeAll(async () => {
  app = await startTestApp()
  tenant = inMode(await makeTenant(app), 'tee')
  enclave = await enclaveInPage(app, tenant)
})
afterAll(() => app.stop())

/** Imports a new key on a new device of a new user, who enters the mailed code at most `triesMax` times. */
async function importing(options: DeviceOptions, triesMax = 5) {
  const device = newDevice(app, tenant, await login(app, tenant), { enclave, ...options })
  const { code } = device.person
  let tries = 0
  device.person.code = async () => (++tries > triesMax ? null : code())
  const key = generatePrivateKey()
  device.person.keyText = key
  const outcome = await device.call('wallet.import', { curve }).catch((error: unknown) => error)
  return { device, key, outcome, wasSealed: device.calls.some((call) => call.endsWith('/import/complete')) }
}

/** Answers a call of this path with what `change` makes of the real answer's data. */
const changing =
  (path: RegExp, change: (data: JsonObject) => JsonObject): Wire =>
  async (call, go) => {
    const response = await go()
    if (!path.test(call.path)) return response
    const { data, error } = (await response.json()) as { data: JsonObject; error: null }
    return Response.json({ data: change(data), error }, { status: response.status })
  }

async function expectRefused(options: DeviceOptions, ...codes: string[]): Promise<void> {
  const { outcome, wasSealed } = await importing(options)
  expect(outcome).toBeInstanceOf(FrameFailure)
  expect(outcome).toMatchObject({ code: 'enclave_unverified', details: { findings: codes } })
  expect(wasSealed).toBe(false)
}

const strangersKey = (): Uint8Array => {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  })
  return Buffer.concat([Uint8Array.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

test('a key is imported into the enclave that the page names', async () => {
  const { outcome, key, wasSealed } = await importing({})
  expect(outcome).toMatchObject({ address: privateKeyToAccount(key).address })
  expect(wasSealed).toBe(true)
})

test('a swapped import key is refused before anything is sealed', async () => {
  const swapped = { enclave_public_key: Buffer.from(strangersKey()).toString('base64') }
  await expectRefused(
    { wire: changing(/import\/initiate$/, (data) => ({ ...data, ...swapped })) },
    'user_data_mismatch',
  )
})

test('a swapped key that the answer lists as the enclave’s own is refused, too', async () => {
  const point = Buffer.from(strangersKey())
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const wire: Wire = (call, go) =>
    changing(/import\/initiate$/, (data) => ({ ...data, enclave_public_key: point.toString('base64') }))(
      call,
      () =>
        changing(/attestation/, (data) => ({
          ...data,
          keys: (data['keys'] as JsonObject[]).map((key) =>
            key['use'] === 'import' ? { ...key, jwk } : key,
          ),
        }))(call, go),
    )
  const { outcome, wasSealed } = await importing({ wire })
  expect(outcome).toMatchObject({ code: 'enclave_unverified' })
  expect(wasSealed).toBe(false)
})

test('an old document is refused: one for another nonce, and one that is older than a minute', async () => {
  const old = await app.call<JsonObject>('GET', `/v1/attestation?nonce=${'A'.repeat(43)}`)
  await expectRefused({ wire: changing(/attestation/, () => old.data as JsonObject) }, 'nonce_mismatch')
  await expectRefused({ aheadMs: 61_000 }, 'document_expired')
})

test('an enclave with another ring or image than the page names is refused, and so is a page that names none', async () => {
  const ring = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
  await expectRefused({ enclave: { ...enclave, ring_id: ring } }, 'ring_mismatch')
  await expectRefused({ enclave: { ...enclave, ring_id: null } }, 'ring_mismatch')
  await expectRefused({ enclave: { ...enclave, measurements: [] } }, 'pcr_mismatch')
  await expectRefused({ enclave: { ...enclave, measurements: [{ 0: 'ab'.repeat(48) }] } }, 'pcr_mismatch')
})

test('a simulation is refused where the page does not allow it, and one of another machine always', async () => {
  await expectRefused({ enclave: { ...enclave, simulated_root: null } }, 'simulated_not_allowed')
  let other: EnclaveProcess | undefined
  try {
    other = await startEnclaveProcess()
    const root = readFileSync(other.rootPath).toString('base64')
    await expectRefused({ enclave: { ...enclave, simulated_root: root } }, 'root_untrusted')
  } finally {
    await other?.stop()
  }
})

test('what is no attestation is refused, and an API that gives none leaves the import for later', async () => {
  await expectRefused({ wire: changing(/attestation/, () => ({ mode: 'nitro' })) }, 'signature_invalid')
  const wire: Wire = (call, go) => {
    if (/attestation/.test(call.path)) throw new TypeError('fetch failed')
    return go()
  }
  const { device, outcome, wasSealed } = await importing({ wire }, 1)
  // The dialog stays: the same code can be sent again.
  expect(device.person.codeMessages).toEqual([expect.stringContaining('could not be reached')])
  expect(outcome).toMatchObject({ code: 'user_rejected' })
  expect(wasSealed).toBe(false)
})
