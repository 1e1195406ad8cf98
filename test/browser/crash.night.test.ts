import { afterAll, beforeAll, test } from 'vitest'
import { creationRounds, moments, recoveryRounds, refreshRounds } from './support/crash-rounds.ts'
import { type Shop, startShop } from './support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop?.stop())

test.each(moments)('creation, %s: the wallet that there then is can be used on this device', (_, moment) =>
  creationRounds(shop, moment),
)

test.each(moments)('refresh, %s: the device signs on, with the old shares or the new', (_, moment) =>
  refreshRounds(shop, moment),
)

test.each(moments)(
  'recovery, %s: the old device signs until the switch, the new one from then on, and there is always one that does',
  (_, moment) => recoveryRounds(shop, moment),
)
