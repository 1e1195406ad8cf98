import { type ClientOptions, unwrap } from '@symbolon/sdk'
import { forgetRates, makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clientDevice } from './client-device.ts'
import { logInBySdk } from './sdk-fixture.ts'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app, { signingMode: 'client' })
})
afterAll(() => app?.stop())
afterEach(() => forgetRates(app))

const device = (options: Partial<ClientOptions> = {}) => clientDevice(app, tenant, options)

async function owner(options: Partial<ClientOptions> = {}) {
  const made = await device(options)
  made.person.email = await logInBySdk(app, made)
  const wallet = unwrap(await made.wallets.create())
  return { ...made, wallet }
}

describe('a wallet in client mode, over the SDK', () => {
  test('is made and signs as in TEE mode, and a second creation brings it as data', async () => {
    const { wallet, sign, wallets, close } = await owner()
    const address = wallet.address as `0x${string}`
    const signature = unwrap(await sign.message('hello')).signature as `0x${string}`
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)
    const again = await wallets.create()
    expect(again.error?.code).toBe('wallet_exists')
    expect(again.data).toEqual(wallet)
    expect(unwrap(await wallets.deviceState())).toEqual({ deviceShare: 'present', isDurable: false, wallet })
    close()
  })

  test('is not used where its owner says no: 4001 for a page of Ethereum', async () => {
    const { wallet, sign, ethereum, person, close } = await owner()
    person.agrees = false
    expect((await sign.message('no')).error?.code).toBe('user_rejected')
    const call = ethereum().request({ method: 'personal_sign', params: ['0x00', wallet.address] })
    await expect(call).rejects.toMatchObject({ code: 4001, data: { code: 'user_rejected' } })
    close()
  })

  test('is gone from a wiped device, and comes back by an emailed code', async () => {
    const { wallet, sign, wallets, recovery, close } = await owner()
    expect(await wallets.wipeDevice()).toEqual({ data: null, error: null })
    expect((await sign.message('hello')).error?.code).toBe('device_share_missing')
    const recovered = unwrap(await recovery.run())
    expect(recovered).toMatchObject({ wallet_id: wallet.id, polynomial_version: 2 })
    expect((await sign.message('hello')).error).toBeNull()
    close()
  })

  test('gets new shares when they are due, and not before', async () => {
    const { share, close } = await owner({ refreshAfterMonths: 6 })
    expect(await share.refreshIfDue()).toEqual({ data: null, error: null })
    close()
    const always = await owner({ refreshAfterMonths: 0 })
    const refreshed = unwrap(await always.share.refreshIfDue())
    expect(refreshed?.polynomial_version).toBe(2)
    expect((await always.sign.message('hello')).error).toBeNull()
    always.close()
  })

  test('ends with the login: the frame learns of it, and refuses', async () => {
    const { auth, sign, close } = await owner()
    await auth.logout()
    expect((await sign.message('hello')).error?.code).toBe('unauthorized')
    close()
  })
})
