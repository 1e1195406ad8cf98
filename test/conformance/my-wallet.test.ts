import {
  login,
  makeTenant,
  makeWallet,
  startTestApp,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const mine = async (user: User, query = '') => {
  const { data, error } = await app.call('GET', `/v1/wallets/me${query}`, user)
  return error?.code ?? data['id']
}

test('without a curve it is the wallet of secp256k1, else the newest that is active', async () => {
  const user = await login(app, tenant)
  expect(await mine(user)).toBe('wallet_not_found')
  const edwards = await makeWallet(app, user, 'ed25519')
  expect(await mine(user)).toBe(edwards.id)
  expect(await mine(user, '?curve=secp256k1')).toBe('wallet_not_found')
  const secp = await makeWallet(app, user, 'secp256k1')
  expect(await mine(user)).toBe(secp.id)
  expect(await mine(user, '?curve=ed25519')).toBe(edwards.id)
  await app.call('POST', `/v1/s2s/wallets/${secp.id}/archive`, { sk: tenant.sk })
  expect(await mine(user)).toBe(edwards.id)
  await app.call('POST', `/v1/s2s/wallets/${edwards.id}/archive`, { sk: tenant.sk })
  expect(await mine(user)).toBe('wallet_not_found')
})

test('without a curve an organization of the other curve answers its wallet', async () => {
  const other = await makeTenant(app, { supportedNetworks: ['solana'] })
  const user = await login(app, other)
  expect(await mine(user)).toBe('wallet_not_found')
  const { id } = await makeWallet(app, user, 'ed25519')
  expect(await mine(user)).toBe(id)
  expect(await mine(user, '?curve=secp256k1')).toBe('invalid_curve')
})
