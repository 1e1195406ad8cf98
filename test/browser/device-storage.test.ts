import type { Wallet } from '@symbolon/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holderAt, ownerAt, recover } from './support/holder.ts'
import { type Shop, startShop } from './support/shop.ts'
import { refusal, signs } from './support/signs.ts'
import { storedShares, tamper, vaultFrame } from './support/vault-storage.ts'
import { openWallet, shareAt } from './support/wallet-key.ts'

let shop: Shop

beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop?.stop())

const curve = 'secp256k1'

test('a share survives a reload, lies encrypted, and its key cannot be read out', async () => {
  const { wallet, ...holder } = await ownerAt(shop)
  await holder.reload()
  await signs(shop, holder, wallet)
  const exported = await (await vaultFrame(shop, holder)).evaluate(
    () =>
      new Promise((resolve) => {
        const open = indexedDB.open('symbolon-vault')
        open.onsuccess = () => {
          const all = open.result.transaction('keys').objectStore('keys').getAll()
          all.onsuccess = async () => {
            open.result.close()
            const key = all.result.find((kept) => kept instanceof CryptoKey) as CryptoKey
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

test.each([
  [
    'throws',
    'Object.defineProperty(window, "indexedDB", { get() { throw new DOMException("", "SecurityError") } })',
  ],
  ['is missing', 'Object.defineProperty(window, "indexedDB", { value: undefined })'],
  ['refuses to open', 'IDBFactory.prototype.open = () => { throw new DOMException("", "SecurityError") }'],
])(
  "the wallet works until the page is closed, and says so, if the browser's storage %s",
  async (_, block) => {
    const visit = await shop.visit()
    await visit.context.addInitScript(block)
    const holder = await holderAt(shop, { visit })
    const wallet = (await holder.done('wallet.create', { curve })) as Wallet
    expect(await holder.done('device.state', { curve })).toMatchObject({
      device_share: 'present',
      is_durable: false,
    })
    await signs(shop, holder, wallet)
    await holder.reload()
    expect(await holder.done('device.state', { curve })).toMatchObject({
      device_share: 'absent',
      is_durable: false,
    })
    expect((await recover(shop, holder)).error).toBeUndefined()
    await signs(shop, holder, wallet)
    await visit.close()
  },
)

test('shares that were swapped between users, walked to another version or row, or changed by a bit are not used', async () => {
  const { wallet, ...first } = await ownerAt(shop)
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
    expect(await refusal(shop, first), JSON.stringify(change)).toMatch(
      /^device_share_(missing|outdated)$|^key_mismatch$/,
    )
    await restore()
  }
  await signs(shop, first, wallet)
  await signs(shop, second, other)
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
