import type { SignResponse, Wallet } from '@symbolon/api'
import { formatPrivateKey } from '@symbolon/networks/testing/by-intent'
import {
  liftRates,
  login,
  makeTenant,
  startTestApp,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleKeys, sampleRequests } from './sample-requests.ts'
import { type Device, enclaveInPage, inMode, newDevice } from './vault-fixture.ts'

let app: TestApp
let client: Device
let tee: Device
let teeTenant: Tenant
let teeUser: User
const wallets: Wallet[] = []

beforeAll(async () => {
  app = await startTestApp()
  await liftRates(app)
  const clientTenant = await makeTenant(app, { signingMode: 'client' })
  teeTenant = inMode(await makeTenant(app), 'tee')
  teeUser = await login(app, teeTenant)
  client = newDevice(app, clientTenant, await login(app, clientTenant))
  tee = newDevice(app, teeTenant, teeUser, { enclave: await enclaveInPage(app, teeTenant) })
  for (const curve of ['secp256k1', 'ed25519'] as const) {
    const key = formatPrivateKey(curve, sampleKeys[curve].privateKey)[0]?.text ?? ''
    for (const device of [client, tee]) {
      device.person.keyText = key
      wallets.push((await device.call('wallet.import', { curve })) as unknown as Wallet)
    }
  }
})
afterAll(() => app.stop())

describe('one key in both signing modes', () => {
  test('is imported into either with the same addresses', () => {
    const [clients, tees, clientEd, teeEd] = wallets
    expect(clients?.addresses).toEqual(tees?.addresses)
    expect(clientEd?.addresses).toEqual(teeEd?.addresses)
    expect([clients?.signing_mode, tees?.signing_mode]).toEqual(['client', 'tee'])
  })

  const named = sampleRequests.map(
    (request, index) => [index, request['type'], request['chain'] ?? '', request] as const,
  )
  test.each(named)(
    'answers the same in the browser as from the enclave: %i %s %s',
    async (_i, _t, _c, request) => {
      const there = await app.call<SignResponse>('POST', '/v1/wallets/me/sign', { ...teeUser, json: request })
      expect(there.text).toContain('"error":null')
      const { wallet_id: _there, ...expected } = there.data
      const { wallet_id: _here, ...answer } = await client.sign(request)
      expect(answer).toEqual(expected)
      const dry = await app.call<SignResponse>('POST', '/v1/wallets/me/sign', {
        ...teeUser,
        json: { ...request, dry_run: true },
      })
      const { wallet_id: _id, ...dryHere } = await client.sign({ ...request, dry_run: true })
      expect({ ...dryHere, wallet_id: dry.data.wallet_id }).toEqual(dry.data)
    },
  )

  test('is refused alike: bytes of no transaction, another chain, another curve, too long, not enabled', async () => {
    const bad = [
      { type: 'transaction', chain: 'solana', transaction: 'AAAA' },
      { type: 'transaction', chain: 'nowhere', transaction: 'AAAA' },
      { type: 'transaction', chain: 'bitcoin', transaction: '0x00' },
      { type: 'message', message: 'x', chain: 'base', curve: 'ed25519' },
      { type: 'message', message: '\ud800', chain: 'base' },
      { type: 'message', message: 'x', chain: 'base', scheme: 'raw' },
      { type: 'hash', hash: `0x${'00'.repeat(32)}`, chain: 'solana' },
      { type: 'message', message: 'AA', encoding: 'hex' },
    ]
    for (const json of bad) {
      const { error } = await app.call('POST', '/v1/wallets/me/sign', { ...teeUser, json })
      expect(await client.outcome('sign', { request: json })).toBe(error?.code)
    }
  })

  test.each(['secp256k1', 'ed25519'] as const)(
    'leaves the enclave for the person alone: %s',
    async (curve) => {
      expect(await tee.call('key.export', { curve })).toEqual({ is_revealed: true })
      const texts = formatPrivateKey(curve, sampleKeys[curve].privateKey).map(({ text }) => text)
      expect(tee.person.revealed.map(({ text }) => text)).toEqual(texts)
    },
  )

  test('has no device share in TEE mode, and none is asked for', async () => {
    const curve = 'secp256k1' as const
    for (const method of ['wallet.create', 'device.state', 'recovery.run', 'share.refresh'] as const)
      expect(await tee.outcome(method, { curve })).toBe('signing_mode_mismatch')
    const request = { type: 'message', message: 'x' }
    expect(await tee.outcome('sign', { request })).toBe('signing_mode_mismatch')
    expect(await tee.outcome('userop.send', { chain: 'base', calls: [] })).toBe('signing_mode_mismatch')
  })

  test('that is imported again, or sealed for a code that is wrong, is refused', async () => {
    expect(await tee.outcome('wallet.import', { curve: 'secp256k1' })).toBe('wallet_exists')
    const device = newDevice(app, teeTenant, await login(app, teeTenant), {
      enclave: await enclaveInPage(app, teeTenant),
    })
    device.person.keyText = formatPrivateKey('ed25519', sampleKeys.ed25519.privateKey)[0]?.text ?? ''
    const answers = ['000000', '000001', null]
    device.person.code = async () => answers.shift() ?? null
    expect(await device.outcome('wallet.import', { curve: 'ed25519' })).toBe('user_rejected')
    expect(device.person.codeMessages).toHaveLength(2)
  })
})
