import type { Wallet } from '@symbolon/api'
import { memoryStorage } from '@symbolon/iframe/testing'
import { publicKeyOf } from '@symbolon/networks/private-key'
import {
  forgetRates,
  login,
  makeTenant,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { recoverMessageAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lost, newDevice } from './vault-fixture.ts'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app, { signingMode: 'client' })
})
afterAll(() => app.stop())
beforeEach(() => forgetRates(app))

const curve = 'secp256k1' as const
const message = { type: 'message', message: 'hello', chain: 'base' }
const walletOf = (wire: unknown) => wire as Wallet

/** A message signed on the device recovers to the wallet. */
async function signs(device: ReturnType<typeof newDevice>, wallet: Wallet): Promise<void> {
  const { signature } = await device.sign(message)
  const address = await recoverMessageAddress({ message: 'hello', signature: signature as `0x${string}` })
  expect(address).toBe(wallet.address)
}

describe('a wallet that is made here', () => {
  test.each(['secp256k1', 'ed25519'] as const)('signs on this device: %s', async (each) => {
    const device = newDevice(app, tenant, await login(app, tenant))
    const wallet = walletOf(await device.call('wallet.create', { curve: each }))
    expect(wallet).toMatchObject({ curve: each, polynomial_version: 1, status: 'active' })
    const state = await device.call('device.state', { curve: each })
    expect(state).toMatchObject({ device_share: 'present', is_durable: false, wallet: { id: wallet.id } })
    const { public_key } = await device.sign({ type: 'message', message: 'hello', curve: each })
    expect(public_key).toBe(wallet.public_key)
    if (each === 'secp256k1') await signs(device, wallet)
  })

  test('is not there on another device, which asks the service for nothing', async () => {
    const user = await login(app, tenant)
    await newDevice(app, tenant, user).call('wallet.create', { curve })
    const other = newDevice(app, tenant, user)
    expect(await other.call('device.state', { curve })).toMatchObject({ device_share: 'absent' })
    expect(await other.outcome('sign', { request: message })).toBe('device_share_missing')
    expect(other.calls.some((call) => call.includes('shares/provider'))).toBe(false)
  })

  test('is made once: a second attempt gets the wallet, and the first share still signs', async () => {
    const device = newDevice(app, tenant, await login(app, tenant))
    const wallet = walletOf(await device.call('wallet.create', { curve }))
    await expect(device.call('wallet.create', { curve })).rejects.toMatchObject({
      code: 'wallet_exists',
      details: { wallet: { id: wallet.id } },
    })
    expect(await device.storage.rows()).toHaveLength(1)
    await signs(device, wallet)
  })

  test('of two devices at once one makes it, and only that one holds a share', async () => {
    const user = await login(app, tenant)
    const devices = [newDevice(app, tenant, user), newDevice(app, tenant, user)]
    const outcomes = await Promise.all(devices.map((device) => device.outcome('wallet.create', { curve })))
    expect(outcomes.filter((outcome) => outcome === 'wallet_exists')).toHaveLength(1)
    for (const [index, device] of devices.entries()) {
      const { device_share } = await device.call('device.state', { curve })
      expect(device_share).toBe(outcomes[index] === 'wallet_exists' ? 'absent' : 'present')
    }
  })

  test('survives the death of the process that made it: the repeat, run anew, finds the wallet of its key', async () => {
    const device = newDevice(app, tenant, await login(app, tenant))
    let count = 0
    device.setWire(async ({ path }, go) => {
      const answer = await go()
      if (path !== '/v1/wallets' || ++count > 1) return answer
      // What a dead process was running is forgotten, and so runs again.
      await app.sql`delete from idempotency_keys`
      return lost()
    })
    const wallet = walletOf(await device.call('wallet.create', { curve }))
    expect(count).toBe(2)
    expect(await device.storage.rows()).toHaveLength(1)
    await signs(device, wallet)
  })

  test('survives a lost answer: the same creation is repeated', async () => {
    const device = newDevice(app, tenant, await login(app, tenant))
    let count = 0
    device.setWire(async ({ path }, go) => {
      const answer = await go()
      return path === '/v1/wallets' && ++count === 1 ? lost() : answer
    })
    const wallet = walletOf(await device.call('wallet.create', { curve }))
    expect(count).toBe(2)
    await signs(device, wallet)
  })

  test('survives the end of the browser between the request and its answer', async () => {
    const user = await login(app, tenant)
    const storage = memoryStorage()
    const dying = newDevice(app, tenant, user, {
      storage,
      wire: async ({ path }, go) => {
        if (path !== '/v1/wallets') return go()
        await go()
        return lost()
      },
    })
    expect(await dying.outcome('wallet.create', { curve })).toBe('network_failed')
    const device = newDevice(app, tenant, user, { storage })
    const state = await device.call('device.state', { curve })
    expect(state.device_share).toBe('present')
    await signs(device, walletOf(state.wallet))
  })

  test('leaves a share behind that is worth nothing when the request never arrived, and is made again', async () => {
    const user = await login(app, tenant)
    const storage = memoryStorage()
    const dying = newDevice(app, tenant, user, {
      storage,
      wire: ({ path }, go) => (path === '/v1/wallets' ? lost() : go()),
    })
    expect(await dying.outcome('wallet.create', { curve })).toBe('network_failed')
    expect(await storage.rows()).toHaveLength(1)
    const device = newDevice(app, tenant, user, { storage })
    expect(await device.outcome('device.state', { curve })).toBe('wallet_not_found')
    // An answer 404 would stand in red in the page's console.
    expect(device.calls).toContain('GET /v1/wallets/me/all')
    expect(device.calls.join()).not.toContain('GET /v1/wallets/me?')
    const wallet = walletOf(await device.call('wallet.create', { curve }))
    expect(await storage.rows()).toHaveLength(1)
    await signs(device, wallet)
  })

  test('has its share kept before the service gets its own', async () => {
    const storage = memoryStorage()
    let rowsThen = 0
    const device = newDevice(app, tenant, await login(app, tenant), {
      storage,
      wire: async ({ path }, go) => {
        if (path === '/v1/wallets') rowsThen = (await storage.rows()).length
        return go()
      },
    })
    await device.call('wallet.create', { curve })
    expect(rowsThen).toBe(1)
  })

  test('that the service refuses leaves nothing behind', async () => {
    const narrow = await makeTenant(app, { signingMode: 'client', supportedNetworks: ['evm'] })
    const device = newDevice(app, narrow, await login(app, narrow))
    expect(await device.outcome('wallet.create', { curve: 'ed25519' })).toBe('invalid_curve')
    expect(await device.storage.rows()).toEqual([])
  })
})

describe('a wallet that is imported', () => {
  test('has the addresses of the key and signs', async () => {
    const key = generatePrivateKey()
    const device = newDevice(app, tenant, await login(app, tenant))
    device.person.keyText = key
    const wallet = walletOf(await device.call('wallet.import', { curve }))
    expect(wallet.address).toBe(privateKeyToAccount(key).address)
    await signs(device, wallet)
  })

  test('is not asked for where there is one already, nor taken from a text that is not a key', async () => {
    const device = newDevice(app, tenant, await login(app, tenant))
    device.person.keyText = 'not a key'
    expect(await device.outcome('wallet.import', { curve })).toBe('user_rejected')
    await device.call('wallet.create', { curve })
    device.person.keyText = generatePrivateKey()
    expect(await device.outcome('wallet.import', { curve })).toBe('wallet_exists')
  })

  test('by two users from one key stays two wallets: each share serves its own user', async () => {
    const key = generatePrivateKey()
    const storage = memoryStorage()
    const wallets: Wallet[] = []
    for (let i = 0; i < 2; i++) {
      const device = newDevice(app, tenant, await login(app, tenant), { storage })
      device.person.keyText = key
      wallets.push(walletOf(await device.call('wallet.import', { curve })))
      await signs(device, wallets.at(-1) as Wallet)
    }
    expect(wallets[0]?.id).not.toBe(wallets[1]?.id)
  })
})

describe('the key of a wallet', () => {
  test.each(['secp256k1', 'ed25519'] as const)('is shown to the person after a warning: %s', async (each) => {
    const device = newDevice(app, tenant, await login(app, tenant))
    const wallet = walletOf(await device.call('wallet.create', { curve: each }))
    expect(await device.call('key.export', { curve: each })).toEqual({ is_revealed: true })
    const texts = device.person.revealed.map(({ text }) => text)
    const hex = texts.map((text) => /^(?:ed25519-priv-)?0x([0-9a-f]{64})$/.exec(text)?.[1]).find(Boolean)
    const publicKey = publicKeyOf(each, Uint8Array.from(Buffer.from(String(hex), 'hex')))
    expect(`0x${Buffer.from(publicKey).toString('hex')}`).toBe(wallet.public_key)
    expect(device.calls).toContain(`POST /v1/wallets/me/shares/provider?curve=${each}&purpose=export`)
    // The bytes that the dialog was given are wiped when it closes.
    expect(device.person.spellAgain).toThrow('not a private key')
  })

  test('is asked of nobody when the person heeds the warning', async () => {
    const device = newDevice(app, tenant, await login(app, tenant))
    await device.call('wallet.create', { curve })
    device.person.isWarned = false
    expect(await device.outcome('key.export', { curve })).toBe('user_rejected')
    expect(device.calls.some((call) => call.includes('shares/provider'))).toBe(false)
  })
})

describe('a session', () => {
  test('is needed for everything, and ends with null', async () => {
    const device = newDevice(app, tenant, await login(app, tenant))
    await device.call('wallet.create', { curve })
    await device.call('session.set', { token: null })
    for (const method of [
      'wallet.create',
      'device.state',
      'recovery.run',
      'share.refresh',
      'key.export',
    ] as const)
      expect(await device.outcome(method, { curve })).toBe('session_missing')
    expect(await device.outcome('sign', { request: message })).toBe('session_missing')
    expect(await device.outcome('device.wipe', {})).toBe('session_missing')
  })

  test('of another user finds nothing of the first one on this device', async () => {
    const storage = memoryStorage()
    const [ada, bob] = [await login(app, tenant), await login(app, tenant)]
    const device = newDevice(app, tenant, ada, { storage })
    const wallet = walletOf(await device.call('wallet.create', { curve }))
    await device.call('session.set', { token: bob.token })
    await device.call('wallet.create', { curve })
    await device.call('device.wipe', {})
    expect(await device.call('device.state', { curve })).toMatchObject({ device_share: 'absent' })
    await device.call('session.set', { token: ada.token })
    await signs(device, wallet)
  })

  test('that has ended cannot sign', async () => {
    const user = await login(app, tenant)
    const device = newDevice(app, tenant, user)
    await device.call('wallet.create', { curve })
    await app.call('POST', '/v1/wallets/me/logout', user)
    expect(await device.outcome('sign', { request: message })).toBe('token_revoked')
  })
})
