import { setTimeout as sleep } from 'node:timers/promises'
import {
  apiClient,
  createVault,
  type Dialogs,
  deviceNotes,
  memoryStorage,
  talk,
} from '@symbolon/iframe/testing'
import { type Client, type ClientOptions, unwrap } from '@symbolon/sdk'
import type { Link } from '@symbolon/sdk/testing'
import {
  forgetRates,
  mailedCode,
  makeTenant,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { logInBySdk, sdkClient } from './sdk-fixture.ts'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app, { signingMode: 'client' })
})
afterAll(() => app?.stop())
afterEach(() => forgetRates(app))

/** What the person at this device does; a test may change it. */
type Person = { agrees: boolean; email: string }

/** A device: the SDK with the real vault behind a real port, without the document around them. */
async function device(options: Partial<ClientOptions> = {}): Promise<Client & { person: Person }> {
  const person: Person = { agrees: true, email: '' }
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const wait = (ms: number) => sleep(ms)
  const shares = { storage: memoryStorage(), random }
  const dialogs: Dialogs = {
    confirm: async () => person.agrees,
    agree: async () => person.agrees,
    say: () => undefined,
    tellWait: async () => undefined,
    // The first mail was the login's.
    askCode: async ({ check }) => (await check(await mailedCode(app, person.email, 1))).isRight,
    askKey: async () => null,
    warnExport: async () => person.agrees,
    reveal: async () => true,
    busy: () => () => undefined,
  }
  const openLink = async () => {
    const { port1, port2 } = new MessageChannel()
    const nonce = await shares.storage.nonce()
    const organization = {
      id: tenant.id,
      name: 'Test',
      brand_color: null,
      support_email: null,
      signing_mode: 'client',
      is_confirmation_shown: true,
    } as const
    const handlers = createVault({
      organization,
      pageOrigin: 'https://shop.example',
      api: apiClient({ baseUrl: app.url, publishableKey: tenant.pk, device: nonce, fetch, wait }),
      device: nonce,
      shares,
      dialogs,
      notes: deviceNotes(noStorage),
      say: () => undefined,
      random,
      wait,
      exclusive: (_, run) => run(),
    })
    talk({ port: port2, origin: 'https://shop.example', session: 's' }, handlers)
    let lost = () => {}
    const link: Link = {
      port: port1,
      session: 's',
      show: () => undefined,
      showStrip: () => undefined,
      isAlive: () => true,
      remove: () => lost(),
      onLost: (listener) => {
        lost = listener
      },
    }
    return { data: link, error: null }
  }
  const client = sdkClient(app, tenant, options, { openLink })
  return { ...client, person }
}

const noStorage = () => {
  throw new Error('no storage')
}

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
