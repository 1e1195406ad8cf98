import {
  forgetRates,
  login,
  makeTenant,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newDevice } from './vault-fixture.ts'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app, { signingMode: 'client', supportedNetworks: ['evm'] })
})
afterAll(() => app.stop())
beforeEach(() => forgetRates(app))

const to = `0x${'ab'.repeat(20)}`
const thief = `0x${'cd'.repeat(20)}`
const transaction = (value: string, more: object = {}) => ({
  type: 'transaction',
  chain: 'base',
  transaction: {
    nonce: '0x0',
    gas_limit: '0x5208',
    max_fee_per_gas: '0x1',
    max_priority_fee_per_gas: '0x0',
    to,
    value,
    ...more,
  },
})
const calls = [
  { to, data: '0x', value: '1' },
  { to, data: '0x', value: '2' },
]

/** A device whose person has agreed to two payments, with fees of at most one and a half of them. */
async function agreed() {
  const device = newDevice(app, tenant, await login(app, tenant), { isConfirmationShown: true })
  await device.call('wallet.create', { curve: 'secp256k1' })
  const { batch } = await device.call('calls.agree', { chain: 'base', calls, max_fee: '31500' })
  expect(device.person.seen.map(({ subject }) => subject)).toEqual(['calls'])
  device.person.isAgreeing = false
  const released = () => device.calls.filter((call) => call.includes('/shares/provider')).length
  return { ...device, batch, released }
}

test('what the person agreed to as one list is signed call by call, without a further question', async () => {
  const { call, batch, person } = await agreed()
  const one = await call('sign', { request: transaction('0x1', { gas_limit: '0x5208' }), batch })
  expect(one['signed_transaction']).toMatch(/^0x02/)
  const two = await call('sign', {
    request: transaction('0x2', { nonce: '0x1', gas_limit: '0x2904' }),
    batch,
  })
  expect(two['signed_transaction']).toMatch(/^0x02/)
  expect(person.seen).toHaveLength(1)
})

test.each([
  ['another receiver', transaction('0x1', { to: thief })],
  ['another amount', transaction('0x3')],
  ['the second call first', transaction('0x2')],
  ['call data', transaction('0x1', { data: '0x01' })],
  ['another chain', { ...transaction('0x1'), chain: 'ethereum' }],
  ['a message', { type: 'message', message: 'hello', chain: 'base' }],
])(
  '%s is not signed under the name of a list, nobody is asked, and no share is released',
  async (_, request) => {
    const { outcome, batch, person, released } = await agreed()
    expect(await outcome('sign', { request, batch })).toBe('preview_mismatch')
    expect(person.seen).toHaveLength(1)
    expect(released()).toBe(0)
  },
)

test('a fee above what is left of the agreed one is asked about, and declined here', async () => {
  const { outcome, batch, person, released } = await agreed()
  const dear = transaction('0x1', { max_fee_per_gas: '0x2' })
  expect(await outcome('sign', { request: dear, batch })).toBe('user_rejected')
  expect(person.seen.map(({ subject }) => subject)).toEqual(['calls', 'transaction'])
  expect(released()).toBe(0)
})

test('an unknown list and one of an earlier login sign nothing', async () => {
  const { outcome, call, batch, released } = await agreed()
  expect(await outcome('sign', { request: transaction('0x1'), batch: '00'.repeat(16) })).toBe(
    'preview_mismatch',
  )
  const { token } = await login(app, tenant)
  await call('session.set', { token })
  await call('wallet.create', { curve: 'secp256k1' })
  expect(await outcome('sign', { request: transaction('0x1'), batch })).toBe('preview_mismatch')
  expect(released()).toBe(0)
})
