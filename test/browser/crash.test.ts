import { forgetRates } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  creationRounds,
  curve,
  recoveryRounds,
  refreshRounds,
  roundsLimitMs,
} from './support/crash-rounds.ts'
import { holderAt, ownerAt } from './support/holder.ts'
import { type Shop, startShop } from './support/shop.ts'
import { signs, versionOf } from './support/signs.ts'

let shop: Shop

beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop?.stop())

// Each moment once; crash.night.test.ts strikes all of them at all moments.
test(
  'creation, page closed before a call is sent: the wallet that there then is can be used on this device',
  () => creationRounds(shop, 'closed-before'),
  roundsLimitMs,
)

test(
  'refresh, an answer lost: the device signs on, with the old shares or the new',
  () => refreshRounds(shop, 'answer-lost'),
  roundsLimitMs,
)

test('a refresh whose answer nobody saw is followed by another refresh, and the device still signs', async () => {
  const { wallet, ...holder } = await ownerAt(shop)
  await holder.page.route('**/shares/refresh', async (route) => {
    await route.fetch()
    await holder.page.close()
  })
  await holder.ask('share.refresh', { curve }).catch(() => {})
  expect(await versionOf(shop, wallet)).toBe(2)
  const later = await holderAt(shop, { user: holder.user, visit: holder })
  await forgetRates(shop.app)
  await later.done('share.refresh', { curve })
  await signs(shop, later, wallet)
  await later.reload()
  await signs(shop, later, wallet)
  expect((await later.done('device.state', { curve }))['device_share']).toBe('present')
  await holder.close()
})

test(
  'recovery, page closed after a call was answered: the old device signs until the switch, the new one from then on, and there is always one that does',
  () => recoveryRounds(shop, 'closed-after'),
  roundsLimitMs,
)
