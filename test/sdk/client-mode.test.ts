import { ed25519 } from '@noble/curves/ed25519.js'
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

  test('signs several transactions of Solana after one dialog, byte for byte those that it showed', async () => {
    const made = await device({})
    made.person.email = await logInBySdk(app, made)
    const wallet = made.solana({ name: 'Shop', icon: 'data:image/svg+xml;base64,PHN2Zy8+' })
    const [account] = (await wallet.features['standard:connect'].connect()).accounts
    if (account === undefined) throw new Error('no account')
    const transactions = [1, 2].map((lamports) => solanaTransfer(account.publicKey, lamports))
    const sign = wallet.features['solana:signTransaction'].signTransaction
    const inputs = transactions.map((transaction) => ({ account, transaction }))
    const signed = await sign(...inputs)
    expect(made.person.confirmed.map(({ subject, preview }) => [subject, preview.actions.length])).toEqual([
      ['transactions', 2],
    ])
    for (const [index, { signedTransaction }] of signed.entries()) {
      const message = signedTransaction.slice(65)
      expect(message).toEqual(transactions[index]?.slice(65))
      expect(
        ed25519.verify(signedTransaction.slice(1, 65), message, Uint8Array.from(account.publicKey)),
      ).toBe(true)
    }
    made.person.agrees = false
    await expect(sign(...inputs)).rejects.toMatchObject({ code: 'user_rejected' })
    made.close()
  })
})

/** An unsigned legacy transaction that pays lamports of the account to nobody's address. */
function solanaTransfer(payer: ArrayLike<number>, lamports: number): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(12)
  new DataView(data.buffer).setUint32(0, 2, true)
  new DataView(data.buffer).setBigUint64(4, BigInt(lamports), true)
  const keys = [Uint8Array.from(payer), new Uint8Array(32).fill(7), new Uint8Array(32)]
  const message = [
    1,
    0,
    1,
    3,
    ...keys.flatMap((key) => [...key]),
    ...new Uint8Array(32).fill(9),
    1,
    2,
    2,
    0,
    1,
    12,
    ...data,
  ]
  return Uint8Array.from([1, ...new Uint8Array(64), ...message])
}
