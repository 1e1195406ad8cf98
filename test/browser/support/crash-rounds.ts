import type { Wallet } from '@symbolon/api'
import { forgetRates } from '@symbolon/testing/app'
import { expect } from 'vitest'
import { type Moment, strikeAt } from './call-strike.ts'
import { type Holder, holderAt, ownerAt, recover } from './holder.ts'
import type { Shop } from './shop.ts'
import { signs, trySigning, versionOf } from './signs.ts'

/** When a round is struck, and what its test says of it. */
export const moments: readonly (readonly [says: string, Moment])[] = [
  ['page closed before a call is sent', 'closed-before'],
  ['page closed after a call was answered, before the answer came', 'closed-after'],
  ['an answer lost', 'answer-lost'],
]

/** The curve of the wallets of these rounds. */
export const curve = 'secp256k1'
/** More calls than any of these makes: beyond it a test would wait for ever. */
const callsMax = 20
/** Each test is some ten rounds of its own. */
export const roundsLimitMs = 120_000

/** Recovers; where the answer to the code was lost, the dialog says so and stays, and its person gives up. */
async function recoverOrGiveUp(shop: Shop, holder: Holder): Promise<void> {
  const outcome = recover(shop, holder, curve)
  const givingUp = async () => {
    await holder.dialog.getByText('could not be reached').waitFor({ timeout: roundsLimitMs })
    await holder.dialog.getByRole('button', { name: 'Cancel' }).click()
  }
  await Promise.race([outcome, Promise.all([outcome, givingUp()])])
}

/** Rounds at once: they mostly wait. */
const roundsAtOnce = 3

/**
 * Runs something once for each API call that it makes, struck at that call, with what comes before and after of its own.
 * Ends when a run was not struck any more, and says how many were.
 */
async function eachCall(
  shop: Shop,
  moment: Moment,
  round: (strike: (holder: Holder, work: () => Promise<unknown>) => Promise<boolean>) => Promise<void>,
): Promise<number> {
  async function struckAt(call: number): Promise<boolean> {
    let wasStruck = false
    await round(async (holder, work) => {
      await forgetRates(shop.app)
      wasStruck = await strikeAt({ shop, holder, call, moment }, work)
      return wasStruck
    })
    return wasStruck
  }
  for (let first = 1; first <= callsMax; first += roundsAtOnce) {
    const calls = Array.from({ length: roundsAtOnce }, (_, i) => first + i)
    const struck = await Promise.all(calls.map(struckAt))
    if (struck.includes(false)) return first + struck.indexOf(false) - 1
  }
  throw new Error('There is no end of calls.')
}

/** Creations, each struck at another call: the wallet that there then is can be used on this device. */
export async function creationRounds(shop: Shop, moment: Moment): Promise<void> {
  const struck = await eachCall(shop, moment, async (strike) => {
    const holder = await holderAt(shop)
    await strike(holder, () => holder.ask('wallet.create', { curve }))
    const later = await holderAt(shop, { user: holder.user, visit: holder })
    const { data: before } = await shop.app.call<Wallet>('GET', '/v1/wallets/me', holder.user)
    const { error } = await later.ask('wallet.create', { curve })
    expect(error?.code).toBe(before === null ? undefined : 'wallet_exists')
    const { data: wallet } = await shop.app.call<Wallet>('GET', '/v1/wallets/me', holder.user)
    await signs(shop, later, wallet)
    await holder.close()
  })
  expect(struck).toBeGreaterThanOrEqual(1)
}

/** Refreshes, each struck at another call: the device signs on, with the old shares or the new. */
export async function refreshRounds(shop: Shop, moment: Moment): Promise<void> {
  let switches = 0
  const struck = await eachCall(shop, moment, async (strike) => {
    const { wallet, ...holder } = await ownerAt(shop)
    await strike(holder, () => holder.ask('share.refresh', { curve }))
    if ((await versionOf(shop, wallet)) > 1) switches++
    const later = await holderAt(shop, { user: holder.user, visit: holder })
    await signs(shop, later, wallet)
    await forgetRates(shop.app)
    await later.done('share.refresh', { curve })
    await signs(shop, later, wallet)
    await holder.close()
  })
  expect(struck).toBeGreaterThanOrEqual(2)
  expect(switches).toBeGreaterThanOrEqual(1)
}

/** Recoveries, each struck at another call: the old device signs until the switch, the new one from then on, and there is always one that does. */
export async function recoveryRounds(shop: Shop, moment: Moment): Promise<void> {
  let switches = 0
  const struck = await eachCall(shop, moment, async (strike) => {
    const { wallet, ...first } = await ownerAt(shop)
    const second = await holderAt(shop, { user: first.user })
    await strike(second, () => recoverOrGiveUp(shop, second))
    const later = await holderAt(shop, { user: first.user, visit: second })
    // The server may still be handling a call of the closed page: only its answer to the old device shows whether it has switched.
    const old = await trySigning(shop, first)
    const isSwitched = old.error?.code === 'device_share_outdated'
    expect((await versionOf(shop, wallet)) > 1).toBe(isSwitched)
    if (isSwitched) switches++
    await signs(shop, isSwitched ? later : first, wallet)
    const { error } = isSwitched ? old : await trySigning(shop, later)
    expect(error?.code).toMatch(isSwitched ? /^device_share_outdated$/ : /^device_share_(missing|outdated)$/)
    expect((await recover(shop, later, curve)).error).toBeUndefined()
    await signs(shop, later, wallet)
    await first.close()
    await second.close()
  })
  expect(struck).toBeGreaterThanOrEqual(3)
  expect(switches).toBeGreaterThanOrEqual(1)
}
