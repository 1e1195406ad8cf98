import type { Wallet } from '@symbolon/api'
import { combineShares } from '@symbolon/crypto'
import { forgetRates, mailedCode } from '@symbolon/testing/app'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Holder, holderAt, mailCount, ownerAt, recover } from './support/holder.ts'
import { type Shop, startShop } from './support/shop.ts'
import { refusal, signs } from './support/signs.ts'
import { clearVault, storedShares, vaultFrame } from './support/vault-storage.ts'
import { openWallet, shareAt } from './support/wallet-key.ts'

let shop: Shop

beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop?.stop())

const curve = 'secp256k1'

const stateOf = async (holder: Holder) => (await holder.done('device.state', { curve }))['device_share']

test('another device recovers with the emailed code and signs; the first one learns that its share is outdated', async () => {
  const { wallet, ...first } = await ownerAt(shop)
  const second = await holderAt(shop, { user: first.user })
  expect(await stateOf(second)).toBe('absent')
  expect(await refusal(shop, second)).toBe('device_share_missing')
  expect((await recover(shop, second)).result).toMatchObject({ wallet_id: wallet.id })
  await signs(shop, second, wallet)
  expect(await stateOf(second)).toBe('present')
  expect(await refusal(shop, first)).toBe('device_share_outdated')
  expect(await stateOf(first)).toBe('outdated')
  expect((await recover(shop, first)).error).toBeUndefined()
  await signs(shop, first, wallet)
  expect(await refusal(shop, second)).toBe('device_share_outdated')
  const { key } = await openWallet(shop, first.user)
  await first.traffic.assertNoKeyBytes(key)
  await second.traffic.assertNoKeyBytes(key)
  await first.close()
  await second.close()
})

test('a refresh makes every older share useless: the old line and the new one share no key', async () => {
  const { wallet, ...holder } = await ownerAt(shop)
  const before = await openWallet(shop, holder.user)
  await forgetRates(shop.app)
  const refreshed = await holder.done('share.refresh', { curve })
  expect(refreshed['wallet_id']).toBe(wallet.id)
  expect(Number(refreshed['polynomial_version'])).toBeGreaterThan(1)
  await signs(shop, holder, wallet)
  const after = await openWallet(shop, holder.user)
  expect(after.key).toEqual(before.key)
  for (const old of [before.provider, before.recovery]) {
    for (const fresh of [after.provider, after.recovery]) {
      if (old[32] === fresh[32]) continue
      const out = new Uint8Array(32)
      combineShares(old, fresh, out)
      expect(out).not.toEqual(before.key)
    }
  }
  // The share that the device had, whichever index it was, opens nothing with the new provider share either.
  for (let index = 1; index < 256; index++) {
    if (index === after.provider[32]) continue
    const out = new Uint8Array(32)
    combineShares(shareAt(index, before), after.provider, out)
    expect(Buffer.from(out).equals(before.key)).toBe(false)
  }
  await holder.traffic.assertNoKeyBytes(before.key)
  expect(holder.traffic.violations).toEqual([])
  await holder.close()
})

test('two tabs of one browser share the device share: both sign at once, and after a recovery or refresh in one the other signs too', async () => {
  const { wallet, ...first } = await ownerAt(shop)
  const second = await holderAt(shop, { user: first.user, visit: first })
  await Promise.all([signs(shop, first, wallet), signs(shop, second, wallet)])
  await forgetRates(shop.app)
  await second.done('share.refresh', { curve })
  await signs(shop, first, wallet)
  expect((await recover(shop, first)).error).toBeUndefined()
  await signs(shop, second, wallet)
  await forgetRates(shop.app)
  const refreshes = await Promise.all([
    first.ask('share.refresh', { curve }),
    second.ask('share.refresh', { curve }),
  ])
  expect(refreshes.some(({ error }) => error === undefined)).toBe(true)
  await signs(shop, first, wallet)
  await signs(shop, second, wallet)
  await first.close()
})

test('a signature in one tab does not take away the share that a refresh in another tab is about to need', async () => {
  const { wallet, ...first } = await ownerAt(shop)
  const second = await holderAt(shop, { user: first.user, visit: first })
  // What the first tab remembers of the wallet is then behind.
  await signs(shop, first, wallet)
  await second.done('share.refresh', { curve })
  await forgetRates(shop.app)
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const held = new Promise<Route>((resolve) => {
    void second.page.route('**/shares/refresh', async (route) => {
      resolve(route)
      await released
      await route.fetch()
      await second.page.close()
    })
  })
  const refreshing = second.ask('share.refresh', { curve }).catch(() => {})
  await held
  await signs(shop, first, wallet)
  release()
  await refreshing
  await signs(shop, first, wallet)
  await first.close()
})

test('two tabs that create at once make one wallet, and both can sign with it', async () => {
  const first = await holderAt(shop)
  const second = await holderAt(shop, { user: first.user, visit: first })
  const made = await Promise.all([
    first.ask('wallet.create', { curve }),
    second.ask('wallet.create', { curve }),
  ])
  const [winner] = made.flatMap(({ result }) => (result === undefined ? [] : [result as Wallet]))
  if (winner === undefined) throw new Error(`Nobody made it: ${JSON.stringify(made)}`)
  for (const { error } of made) if (error !== undefined) expect(error.code).toBe('wallet_exists')
  await signs(shop, first, winner)
  await signs(shop, second, winner)
  await first.close()
})

test('a second creation answers the wallet that is there, and leaves its share alone', async () => {
  const { wallet, ...holder } = await ownerAt(shop)
  const { error } = await holder.ask('wallet.create', { curve })
  expect(error).toMatchObject({ code: 'wallet_exists', details: { wallet: { id: wallet.id } } })
  await signs(shop, holder, wallet)
  expect(await storedShares(await vaultFrame(shop, holder))).toHaveLength(1)
  await holder.close()
})

test('wiped by the user or by the browser, the device says so, and recovery brings it back', async () => {
  const { wallet, ...holder } = await ownerAt(shop)
  await holder.done('device.wipe')
  expect(await stateOf(holder)).toBe('absent')
  expect(await storedShares(await vaultFrame(shop, holder))).toEqual([])
  expect(await refusal(shop, holder)).toBe('device_share_missing')
  expect((await recover(shop, holder)).error).toBeUndefined()
  await signs(shop, holder, wallet)

  await clearVault(await vaultFrame(shop, holder))
  expect(await refusal(shop, holder)).toBe('device_share_missing')
  await holder.reload()
  expect(await stateOf(holder)).toBe('absent')
  expect((await recover(shop, holder)).error).toBeUndefined()
  await signs(shop, holder, wallet)
  await holder.close()
})

test('storage that is cleared while the code is being typed hurts nothing', async () => {
  const { wallet, ...holder } = await ownerAt(shop)
  await forgetRates(shop.app)
  const before = mailCount(shop, holder.user)
  const recovering = holder.ask('recovery.run', { curve })
  const code = await mailedCode(shop.app, holder.user.email, before)
  await clearVault(await vaultFrame(shop, holder))
  await holder.dialog.getByLabel('Six-digit code').fill(code)
  expect((await recovering).error).toBeUndefined()
  await holder.reload()
  await signs(shop, holder, wallet)
  await holder.close()
})

test('a wipe deletes the shares of the logged-in user only', async () => {
  const { wallet, ...first } = await ownerAt(shop)
  const second = await holderAt(shop, { visit: first })
  await second.done('wallet.create', { curve })
  await second.done('device.wipe')
  expect(await stateOf(second)).toBe('absent')
  await signs(shop, first, wallet)
  await first.close()
})
