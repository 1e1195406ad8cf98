import type { Wallet } from '@symbolon/api'
import { orThrow, setWebhook } from '@symbolon/server/testing/webhooks'
import { forgetRates, otherCode, type Tenant } from '@symbolon/testing/app'
import {
  answerPlainly,
  answerShare,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@symbolon/testing/http'
import { split } from '@symbolon/testing/wallets'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Holder, holderAt, recover, withMailedCode } from './support/holder.ts'
import { type Shop, startShop } from './support/shop.ts'
import { signs, versionOf } from './support/signs.ts'
import { openWallet } from './support/wallet-key.ts'

let shop: Shop
let receiver: WebhookReceiver
let tenant: Tenant

beforeAll(async () => {
  ;[shop, receiver] = await Promise.all([startShop(), startWebhookReceiver()])
  tenant = await shop.makeTenant()
  const actor = { type: 'system', id: 'test' } as const
  orThrow(await setWebhook(shop.app.app.webhooks, tenant.id, { url: receiver.url }, actor))
  await shop.app.app.orgs.setRecoveryMode(tenant.id, 'customer_managed', actor)
})
afterAll(async () => {
  await shop?.stop()
  await receiver?.close()
})
afterEach(() => receiver.behave(undefined))

const curve = 'secp256k1'

/** A wallet on its first device, and a second device without its share. */
async function twoDevices(): Promise<{
  first: Holder
  second: Holder
  wallet: Wallet
  close(): Promise<void>
}> {
  const first = await holderAt(shop, { tenant })
  const wallet = (await first.done('wallet.create', { curve })) as Wallet
  const second = await holderAt(shop, { tenant, user: first.user })
  return {
    first,
    second,
    wallet,
    close: async () => void (await Promise.all([first.close(), second.close()])),
  }
}

test('with shares at the customer: created, recovered on another device, refreshed there, recovered back', async () => {
  const { first, second, wallet, close } = await twoDevices()
  expect(receiver.shares.has(`${wallet.id}/1`)).toBe(true)
  expect((await recover(shop, second)).error).toBeUndefined()
  await signs(shop, second, wallet)
  await forgetRates(shop.app)
  await second.done('share.refresh', { curve })
  await signs(shop, second, wallet)
  expect((await recover(shop, first)).error).toBeUndefined()
  await signs(shop, first, wallet)
  const stored = receiver
    .callsOf('recovery_share.store')
    .filter(({ data }) => data['wallet_id'] === wallet.id)
  const shares = stored.map(({ data }) => data['recovery_share'])
  expect(new Set(shares).size).toBe(4)
  const { key } = await openWallet(shop, first.user)
  for (const { traffic } of [first, second]) {
    await traffic.assertNoKeyBytes(key)
    expect(traffic.violations).toEqual([])
    expect(traffic.errors).toEqual([])
  }
  expect(receiver.calls.map(({ body }) => body).join()).not.toContain(
    Buffer.from(key).toString('base64').slice(0, 40),
  )
  await close()
})

test("while the customer's receiver is down no wallet is made, and the same person makes one when it is back", async () => {
  const holder = await holderAt(shop, { tenant })
  receiver.behave((_call, response) => answerPlainly(response, 500))
  expect(await holder.failed('wallet.create', { curve })).toBe('recovery_webhook_failed')
  expect((await shop.app.call('GET', '/v1/wallets/me', holder.user)).status).toBe(404)
  receiver.behave(undefined)
  const wallet = (await holder.done('wallet.create', { curve })) as Wallet
  await signs(shop, holder, wallet)
  await holder.close()
})

test('a receiver that is down when the code is entered delays a recovery and ends nothing', async () => {
  const { first, second, wallet, close } = await twoDevices()
  receiver.behave((call, response) =>
    call.type === 'recovery_share.fetch' ? answerPlainly(response, 503) : undefined,
  )
  const recovering = recover(shop, second)
  await expectCallsOf('recovery_share.fetch', wallet)
  receiver.behave(undefined)
  // It either still asks for the code, or said so and is started again.
  const outcome = await Promise.race([recovering, second.page.waitForTimeout(1_000).then(() => undefined)])
  if (outcome === undefined) {
    await second.dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await recovering).error?.code).toBe('user_rejected')
  } else expect(outcome.error?.code).toBe('recovery_webhook_failed')
  await signs(shop, first, wallet)
  expect((await recover(shop, second)).error).toBeUndefined()
  await signs(shop, second, wallet)
  await close()
})

async function expectCallsOf(type: string, wallet: Wallet): Promise<void> {
  const isThere = () => receiver.callsOf(type).some(({ data }) => data['wallet_id'] === wallet.id)
  for (let i = 0; i < 1_000 && !isThere(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(isThere()).toBe(true)
}

test('a receiver that does not take the new share leaves the old ones in force', async () => {
  const { first, second, wallet, close } = await twoDevices()
  receiver.behave((call, response) =>
    call.type === 'recovery_share.store' ? answerPlainly(response, 500) : undefined,
  )
  expect((await recover(shop, second)).error?.code).toBe('recovery_webhook_failed')
  await forgetRates(shop.app)
  expect(await first.failed('share.refresh', { curve })).toBe('recovery_webhook_failed')
  receiver.behave(undefined)
  expect(await versionOf(shop, wallet)).toBe(1)
  await signs(shop, first, wallet)
  expect((await recover(shop, second)).error).toBeUndefined()
  await signs(shop, second, wallet)
  await close()
})

test('a slow receiver is waited for', async () => {
  const { second, wallet, close } = await twoDevices()
  receiver.behave((call, response) => {
    const share = receiver.shares.get(`${wallet.id}/1`)
    if (call.type !== 'recovery_share.fetch' || share === undefined) return undefined
    setTimeout(() => answerShare(response, share, 1), 2_000)
    return true
  })
  expect((await recover(shop, second)).error).toBeUndefined()
  await signs(shop, second, wallet)
  await close()
})

test('a receiver that answers another share is found out before anything is changed', async () => {
  const { first, second, wallet, close } = await twoDevices()
  const honest = Buffer.from(receiver.shares.get(`${wallet.id}/1`) ?? '', 'base64')
  const index = honest[32] ?? 0
  // Of another line, of the right index and form; and with one bit of the right one changed.
  const [line] = [split(new Uint8Array(32).fill(7), [index === 9 ? 8 : 9, index === 11 ? 12 : 11, index])]
  const flipped = Uint8Array.from(honest)
  flipped[0] = (flipped[0] ?? 0) ^ 1
  for (const lie of [line.recovery, flipped]) {
    receiver.behave((call, response) => {
      if (call.type !== 'recovery_share.fetch') return undefined
      answerShare(response, Buffer.from(lie).toString('base64'), 1)
      return true
    })
    expect((await recover(shop, second)).error?.code).toBe('key_mismatch')
    expect(await versionOf(shop, wallet)).toBe(1)
  }
  receiver.behave(undefined)
  await signs(shop, first, wallet)
  expect((await recover(shop, second)).error).toBeUndefined()
  await signs(shop, second, wallet)
  await close()
})

test('a receiver that replays the share of an earlier version is found out', async () => {
  const { second, wallet, close } = await twoDevices()
  expect((await recover(shop, second)).error).toBeUndefined()
  const version = await versionOf(shop, wallet)
  const old = receiver.shares.get(`${wallet.id}/1`) ?? ''
  const fresh = Buffer.from(receiver.shares.get(`${wallet.id}/${version}`) ?? '', 'base64')
  const relabelled = Buffer.from(old, 'base64')
  relabelled[32] = fresh[32] ?? 0
  for (const lie of [old, relabelled.toString('base64')]) {
    receiver.behave((call, response) => {
      if (call.type !== 'recovery_share.fetch') return undefined
      answerShare(response, lie, version)
      return true
    })
    const recovering = recover(shop, second)
    // A lie is refused at once, or the dialog stays open with the refusal: then the user gives up.
    const outcome = await Promise.race([recovering, second.page.waitForTimeout(1_500).then(() => undefined)])
    if (outcome === undefined) await second.dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await recovering).error?.code).toMatch(/^(key_mismatch|recovery_webhook_failed|user_rejected)$/)
    expect(await versionOf(shop, wallet)).toBe(version)
  }
  receiver.behave(undefined)
  await signs(shop, second, wallet)
  await close()
})

test('each wrong code gets its error, the right one still recovers; after the fifth wrong one it no longer does', async () => {
  const { second, wallet, close } = await twoDevices()
  await forgetRates(shop.app)
  let right = ''
  const recovering = withMailedCode(shop, second, 'recovery.run', { curve }, (code) => {
    right = code
    return otherCode(code)
  })
  const says = (text: string) => second.dialog.getByText(text).waitFor()
  const field = second.dialog.getByLabel('Six-digit code')
  await says('4 tries are left.')
  expect(await field.inputValue()).toBe('')
  expect(await second.dialog.getByRole('dialog').textContent()).toMatch(/code/i)
  await field.fill(right)
  expect((await recovering).error).toBeUndefined()
  await signs(shop, second, wallet)

  await forgetRates(shop.app)
  const doomed = withMailedCode(shop, second, 'recovery.run', { curve }, (code) => {
    right = code
    return otherCode(code)
  })
  for (const left of ['4 tries are', '3 tries are', '2 tries are', 'One try is']) {
    await says(`${left} left.`)
    await field.fill(otherCode(right))
  }
  await says('can no longer be used')
  await field.fill(right)
  await expect.poll(() => field.inputValue()).toBe('')
  await says('can no longer be used')
  await second.dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await doomed).error?.code).toBe('user_rejected')
  await signs(shop, second, wallet)
  await close()
})

test('on a new device, a recovery says until when it waits, and a reload asks for the same code', async () => {
  const delay = (seconds: number) =>
    shop.app.sql`update organizations set high_risk_delay_seconds = ${seconds} where id = ${tenant.id}`
  const { second, close } = await twoDevices()
  await delay(1_200)
  const waiting = recover(shop, second)
  await second.dialog.getByRole('dialog', { name: 'Your recovery has to wait' }).waitFor()
  await second.dialog.getByRole('button', { name: 'Got it' }).click()
  expect((await waiting).error?.code).toBe('recovery_delayed')
  await second.reload()
  const again = second.ask('recovery.run', { curve })
  await second.dialog.getByText('You can finish this after').waitFor()
  await second.dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await again).error?.code).toBe('user_rejected')
  await delay(0)
  await close()
})
