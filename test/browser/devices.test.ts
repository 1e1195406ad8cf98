import type { SignResponse, Wallet } from '@symbolon/api'
import { combineShares } from '@symbolon/crypto'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetRates } from '../support/tenant.ts'
import { verifyTextOf } from '../support/verify-message.ts'
import { type Holder, holderAt, recover } from './support/holder.ts'
import { type Shop, startShop } from './support/shop.ts'
import { clearVault, storedShares, tamper, vaultFrame } from './support/vault-storage.ts'
import { openWallet, shareAt } from './support/wallet-key.ts'

let shop: Shop

beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop?.stop())

const curve = 'secp256k1'
const request = { type: 'message', message: 'hello', encoding: 'utf8' }

/** A holder with a wallet made in this browser. */
async function owner(): Promise<Holder & { wallet: Wallet }> {
  const holder = await holderAt(shop)
  const wallet = (await holder.done('wallet.create', { curve })) as Wallet
  return { ...holder, wallet }
}

/** Signs and proves it: the signature is the wallet's. */
async function signs(holder: Holder, wallet: Wallet): Promise<void> {
  await forgetRates(shop.app)
  const answer = (await holder.done('sign', { request })) as SignResponse
  expect(answer.address).toBe(wallet.addresses['evm'])
  expect(await verifyTextOf.evm('hello', answer)).toBe(true)
}

async function refusal(holder: Holder): Promise<string> {
  await forgetRates(shop.app)
  return holder.failed('sign', { request })
}

const stateOf = async (holder: Holder) => (await holder.done('device.state', { curve }))['device_share']

test('a share survives a reload, lies encrypted, and its key cannot be read out', async () => {
  const { wallet, ...holder } = await owner()
  await holder.reload()
  await signs(holder, wallet)
  const exported = await (await vaultFrame(shop, holder)).evaluate(
    () =>
      new Promise((resolve) => {
        const open = indexedDB.open('symbolon-vault')
        open.onsuccess = () => {
          const all = open.result.transaction('keys').objectStore('keys').getAll()
          all.onsuccess = async () => {
            open.result.close()
            const [key] = all.result
            const tries = [crypto.subtle.exportKey('raw', key), crypto.subtle.exportKey('jwk', key)]
            const outcomes = await Promise.allSettled(tries)
            resolve([key instanceof CryptoKey, key.extractable, ...outcomes.map(({ status }) => status)])
          }
        }
      }),
  )
  expect(exported).toEqual([true, false, 'rejected', 'rejected'])
  const opened = await openWallet(shop, holder.user)
  await holder.traffic.takeStock()
  const storage = holder.traffic.pieces.filter(({ where }) => where.startsWith('storage of'))
  expect(storage.some(({ bytes }) => bytes.includes('symbolon-vault'))).toBe(true)
  // No point of the line lies there in the clear.
  for (let index = 1; index < 256; index++) {
    const hex = Buffer.from(shareAt(index, opened).subarray(0, 32)).toString('hex')
    expect(storage.some(({ bytes }) => bytes.includes(hex))).toBe(false)
  }
  await holder.close()
})

test('another device recovers with the mailed code and signs; the first one learns that its share is outdated', async () => {
  const { wallet, ...first } = await owner()
  const second = await holderAt(shop, { user: first.user })
  expect(await stateOf(second)).toBe('absent')
  expect(await refusal(second)).toBe('device_share_missing')
  expect((await recover(shop, second)).result).toMatchObject({ wallet_id: wallet.id })
  await signs(second, wallet)
  expect(await stateOf(second)).toBe('present')
  expect(await refusal(first)).toBe('device_share_outdated')
  expect(await stateOf(first)).toBe('outdated')
  expect((await recover(shop, first)).error).toBeUndefined()
  await signs(first, wallet)
  expect(await refusal(second)).toBe('device_share_outdated')
  const { key } = await openWallet(shop, first.user)
  await first.traffic.assertNoKeyBytes(key)
  await second.traffic.assertNoKeyBytes(key)
  await first.close()
  await second.close()
})

test('a refresh makes every older share useless: the old line and the new one share no key', async () => {
  const { wallet, ...holder } = await owner()
  const before = await openWallet(shop, holder.user)
  await forgetRates(shop.app)
  const refreshed = await holder.done('share.refresh', { curve })
  expect(refreshed['wallet_id']).toBe(wallet.id)
  expect(Number(refreshed['polynomial_version'])).toBeGreaterThan(1)
  await signs(holder, wallet)
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
  const { wallet, ...first } = await owner()
  const second = await holderAt(shop, { user: first.user, visit: first })
  await Promise.all([signs(first, wallet), signs(second, wallet)])
  await forgetRates(shop.app)
  await second.done('share.refresh', { curve })
  await signs(first, wallet)
  expect((await recover(shop, first)).error).toBeUndefined()
  await signs(second, wallet)
  await forgetRates(shop.app)
  const refreshes = await Promise.all([
    first.ask('share.refresh', { curve }),
    second.ask('share.refresh', { curve }),
  ])
  expect(refreshes.some(({ error }) => error === undefined)).toBe(true)
  await signs(first, wallet)
  await signs(second, wallet)
  await first.close()
})

test('a signature in one tab does not take away the share that a refresh in another tab is about to need', async () => {
  const { wallet, ...first } = await owner()
  const second = await holderAt(shop, { user: first.user, visit: first })
  // What the first tab remembers of the wallet is then behind.
  await signs(first, wallet)
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
  await signs(first, wallet)
  release()
  await refreshing
  await signs(first, wallet)
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
  await signs(first, winner)
  await signs(second, winner)
  await first.close()
})

test('a second creation answers the wallet that is there, and leaves its share alone', async () => {
  const { wallet, ...holder } = await owner()
  const { error } = await holder.ask('wallet.create', { curve })
  expect(error).toMatchObject({ code: 'wallet_exists', details: { wallet: { id: wallet.id } } })
  await signs(holder, wallet)
  expect(await storedShares(await vaultFrame(shop, holder))).toHaveLength(1)
  await holder.close()
})

test('wiped by the user or by the browser, the device says so, and recovery brings it back', async () => {
  const { wallet, ...holder } = await owner()
  await holder.done('device.wipe')
  expect(await stateOf(holder)).toBe('absent')
  expect(await storedShares(await vaultFrame(shop, holder))).toEqual([])
  expect(await refusal(holder)).toBe('device_share_missing')
  expect((await recover(shop, holder)).error).toBeUndefined()
  await signs(holder, wallet)

  await clearVault(await vaultFrame(shop, holder))
  expect(await refusal(holder)).toBe('device_share_missing')
  await holder.reload()
  expect(await stateOf(holder)).toBe('absent')
  expect((await recover(shop, holder)).error).toBeUndefined()
  await signs(holder, wallet)
  await holder.close()
})

test('storage that is cleared while the code is being typed hurts nothing', async () => {
  const { wallet, ...holder } = await owner()
  await forgetRates(shop.app)
  const recovering = holder.ask('recovery.run', { curve })
  await holder.dialog.getByLabel('Six-digit code').waitFor()
  await clearVault(await vaultFrame(shop, holder))
  await holder.dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await recovering).error?.code).toBe('user_rejected')
  expect((await recover(shop, holder)).error).toBeUndefined()
  await holder.reload()
  await signs(holder, wallet)
  await holder.close()
})

test('a wipe deletes the shares of the logged-in user only', async () => {
  const { wallet, ...first } = await owner()
  const second = await holderAt(shop, { visit: first })
  await second.done('wallet.create', { curve })
  await second.done('device.wipe')
  expect(await stateOf(second)).toBe('absent')
  await signs(first, wallet)
  await first.close()
})

test.each([
  [
    'throws',
    'Object.defineProperty(window, "indexedDB", { get() { throw new DOMException("", "SecurityError") } })',
  ],
  ['is missing', 'Object.defineProperty(window, "indexedDB", { value: undefined })'],
  ['refuses to open', 'IDBFactory.prototype.open = () => { throw new DOMException("", "SecurityError") }'],
])(
  "where the browser's storage %s the wallet works until the page is closed, and says so",
  async (_, block) => {
    const visit = await shop.visit()
    await visit.context.addInitScript(block)
    const holder = await holderAt(shop, { visit })
    const wallet = (await holder.done('wallet.create', { curve })) as Wallet
    expect(await holder.done('device.state', { curve })).toMatchObject({
      device_share: 'present',
      is_durable: false,
    })
    await signs(holder, wallet)
    await holder.reload()
    expect(await holder.done('device.state', { curve })).toMatchObject({
      device_share: 'absent',
      is_durable: false,
    })
    expect((await recover(shop, holder)).error).toBeUndefined()
    await signs(holder, wallet)
    await visit.close()
  },
)

test('shares that were swapped between users, walked to another version or row, or changed by a bit are not used', async () => {
  const { wallet, ...first } = await owner()
  const second = await holderAt(shop, { visit: first })
  const other = (await second.done('wallet.create', { curve })) as Wallet
  const frame = await vaultFrame(shop, first)
  const rows = await storedShares(frame)
  const mine = rows.find((row) => row.wallet_id === wallet.id)
  const theirs = rows.find((row) => row.wallet_id === other.id)
  if (mine === undefined || theirs === undefined) throw new Error(`The rows are ${JSON.stringify(rows)}`)
  const { id: _id, wallet_id: _w, version: _v, ...owned } = theirs

  // Kept aside under an id of nobody, to be put back.
  const tampered = [
    { id: mine.id, bytesOf: theirs.id },
    { id: mine.id, bytesOf: theirs.id, fields: { ...owned } },
    { id: mine.id, fields: { version: 7 } },
    { id: mine.id, isFlipped: true },
  ]
  for (const change of tampered) {
    const restore = await keepAside(frame, mine.id)
    await tamper(frame, [change])
    expect(await refusal(first), JSON.stringify(change)).toMatch(
      /^device_share_(missing|outdated)$|^key_mismatch$/,
    )
    await restore()
  }
  await signs(first, wallet)
  await signs(second, other)
  await first.close()
})

/** Remembers a row in the page of the frame, to be put back as it was. */
async function keepAside(frame: Awaited<ReturnType<typeof vaultFrame>>, id: string) {
  const change = (isBack: boolean) =>
    frame.evaluate(
      ([wanted, back]) =>
        new Promise<void>((resolve, reject) => {
          const kept = globalThis as unknown as { kept: unknown }
          const open = indexedDB.open('symbolon-vault')
          open.onerror = () => reject(open.error)
          open.onsuccess = () => {
            const transaction = open.result.transaction('shares', 'readwrite')
            const shares = transaction.objectStore('shares')
            if (back) shares.put(kept.kept)
            else {
              const reading = shares.get(wanted)
              reading.onsuccess = () => {
                kept.kept = reading.result
              }
            }
            transaction.oncomplete = () => {
              open.result.close()
              resolve()
            }
          }
        }),
      [id, isBack] as const,
    )
  await change(false)
  return () => change(true)
}
