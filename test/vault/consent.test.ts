import {
  forgetRates,
  login,
  makeTenant,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newDevice } from './vault-fixture.ts'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app, { signingMode: 'client', supportedNetworks: ['evm', 'bitcoin', 'solana'] })
})
afterAll(() => app.stop())
beforeEach(() => forgetRates(app))

const curve = 'secp256k1' as const

async function asking() {
  const user = await login(app, tenant)
  const device = newDevice(app, tenant, user, { isConfirmationShown: true })
  await device.call('wallet.create', { curve })
  return device
}

const released = (device: Awaited<ReturnType<typeof asking>>) =>
  device.calls.filter((call) => call.includes('shares/provider')).length

const lie = { title: 'Claim your prize', actions: [], warnings: [] }
const payment = {
  type: 'transaction',
  chain: 'base',
  preview: lie,
  transaction: {
    to: `0x${'11'.repeat(20)}`,
    value: '0xde0b6b3a7640000',
    nonce: '0x1',
    gas_limit: '0x5208',
    max_fee_per_gas: '0x77359400',
    max_priority_fee_per_gas: '0x1',
  },
}

describe('the consent of the person', () => {
  test('is asked with what the bytes do, whatever the page says of them', async () => {
    const device = await asking()
    const answer = await device.sign(payment)
    const [view] = device.person.seen
    expect(view).toMatchObject({ subject: 'transaction', pageOrigin: 'https://shop.example', chainId: 8453 })
    expect(view?.preview).toEqual(answer['decoded_preview'])
    expect(view?.preview.actions).toMatchObject([{ kind: 'transfer', amount: '1000000000000000000' }])
    expect(JSON.stringify(view)).not.toContain('prize')
    expect(answer['preview']).toEqual(lie)
  })

  test('shows the words of a message, and other bytes as hex', async () => {
    const device = await asking()
    await device.sign({ type: 'message', message: 'I agree', chain: 'base' })
    await device.sign({ type: 'message', message: '0xff00', encoding: 'hex', chain: 'base' })
    const [words, bytes] = device.person.seen
    expect([words?.message, bytes?.message]).toEqual(['I agree', null])
    expect(bytes?.details).toEqual([{ label: 'Message (hex)', text: '0xff00' }])
  })

  test('comes before the service’s share: a refused signature releases nothing', async () => {
    const device = await asking()
    device.person.isAgreeing = false
    expect(await device.outcome('sign', { request: payment })).toBe('user_rejected')
    expect(released(device)).toBe(0)
    device.person.isAgreeing = true
    await device.sign(payment)
    expect(released(device)).toBe(1)
  })

  test('is not asked for what cannot be decoded, nor for what this device cannot sign, nor for a dry run', async () => {
    const device = await asking()
    const bad = { type: 'transaction', chain: 'base', transaction: '0x02c0' }
    expect(await device.outcome('sign', { request: bad })).toBe('invalid_payload')
    const tron = { type: 'message', message: 'x', chain: 'tron' }
    expect(await device.outcome('sign', { request: tron })).toBe('chain_unsupported')
    await device.sign({ ...payment, dry_run: true })
    await device.call('device.wipe', {})
    expect(await device.outcome('sign', { request: payment })).toBe('device_share_missing')
    expect(device.person.seen).toEqual([])
    expect(released(device)).toBe(0)
  })

  test('that is withdrawn by the page ends the request, and nothing is released', async () => {
    const device = await asking()
    const abort = new AbortController()
    abort.abort(new Error('gone'))
    await expect(device.call('sign', { request: payment }, abort.signal)).rejects.toThrow('gone')
    expect(released(device)).toBe(0)
  })

  test('that waits behind another while the login changes ends it unasked; a dry run waits for nobody', async () => {
    const device = await asking()
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    device.setWire(async ({ path }, go) => {
      if (path.includes('/shares/provider')) await held
      return go()
    })
    const first = device.outcome('sign', { request: payment })
    const second = device.outcome('sign', { request: payment })
    await device.sign({ ...payment, dry_run: true })
    const { token } = await login(app, tenant)
    await device.call('session.set', { token })
    goOn()
    await first
    expect(await second).toBe('session_missing')
    expect(device.person.seen).toHaveLength(1)
  })
})

describe('a change of this device’s part of a key', () => {
  test.each([
    ['device.wipe', {}, 'wipe'],
    ['share.refresh', { curve }, 'refresh'],
  ] as const)(
    '%s is asked first, whatever the organization says of signatures',
    async (method, params, subject) => {
      const user = await login(app, tenant)
      const device = newDevice(app, tenant, user, { isConfirmationShown: false })
      await device.call('wallet.create', { curve })
      device.person.isAgreeing = false
      expect(await device.outcome(method, params)).toBe('user_rejected')
      expect(device.person.asked).toMatchObject([{ subject, pageOrigin: 'https://shop.example' }])
      expect(released(device)).toBe(0)
      expect(await device.call('device.state', { curve })).toMatchObject({
        device_share: 'present',
        wallet: { polynomial_version: 1 },
      })
      device.person.isAgreeing = true
      await device.call(method, params)
      expect(await device.call('device.state', { curve })).toMatchObject(
        subject === 'wipe' ? { device_share: 'absent' } : { wallet: { polynomial_version: 2 } },
      )
    },
  )

  test('nobody is asked for a refresh that this device cannot make', async () => {
    const device = await asking()
    await device.call('device.wipe', {})
    expect(await device.outcome('share.refresh', { curve })).toBe('device_share_missing')
    expect(device.person.asked).toHaveLength(1)
  })
})

describe('where the organization does not ask', () => {
  test('the frame tells the person of each signature in its own words, not in the page’s', async () => {
    const user = await login(app, tenant)
    const device = newDevice(app, tenant, user, { isConfirmationShown: false })
    await device.call('wallet.create', { curve })
    const { decoded_preview } = await device.sign(payment)
    expect(device.person.told).toEqual([
      {
        title: 'Signed without asking you',
        text: `${(decoded_preview as { title: string }).title}. Test has turned confirmations off: https://shop.example can sign with your wallet at any time.`,
      },
    ])
    await device.sign({ ...payment, dry_run: true })
    expect(device.person.told).toHaveLength(1)
    const careful = await asking()
    await careful.sign(payment)
    expect(careful.person.told).toEqual([])
  })
})

describe('features that the organization has not enabled', () => {
  test('is refused as in the other lane', async () => {
    const narrow = await makeTenant(app, { signingMode: 'client', supportedNetworks: ['bitcoin'] })
    const device = newDevice(app, narrow, await login(app, narrow))
    await device.call('wallet.create', { curve })
    const request = { type: 'message', message: 'x' }
    expect(await device.outcome('sign', { request })).toBe('chain_unsupported')
    expect(await device.outcome('sign', { request: { ...request, curve: 'ed25519' } })).toBe('invalid_curve')
    await device.sign({ ...request, chain: 'bitcoin' })
  })
})
