import { beforeEach, expect, test } from 'vitest'
import { type CallRecord, knownCalls } from './known-calls.ts'

const record = (id: string, more: Partial<CallRecord> = {}): CallRecord => ({
  id,
  chain: 'base',
  chainId: '0x2105',
  calls: [{ to: `0x${'ab'.repeat(20)}`, data: '0x', value: '1' }],
  operation: null,
  hashes: [],
  isEnded: false,
  ...more,
})

let items: Map<string, string>
let bytesMax: number
beforeEach(() => {
  items = new Map()
  bytesMax = Number.POSITIVE_INFINITY
})

/** Locks as two tabs of one origin share them. */
function tabLocks() {
  const held = new Map<string, Promise<unknown>>()
  return {
    async request(name: string, run: () => Promise<unknown>) {
      const before = held.get(name)
      const mine = (before ?? Promise.resolve()).then(run)
      held.set(name, mine)
      await mine.finally(() => held.get(name) === mine && held.delete(name))
      return mine
    },
    query: async () => ({ held: [...held.keys()].map((name) => ({ name })), pending: [] }),
  } as unknown as LockManager
}

const storage = {
  getItem: (key: string) => items.get(key) ?? null,
  setItem(key: string, value: string) {
    if (value.length > bytesMax) throw new Error('QuotaExceededError')
    items.set(key, value)
  },
}
const tab = (locks = tabLocks(), publishableKey = 'pk_live_a') =>
  knownCalls({ storage, locks, publishableKey })

test('of two tabs that claim one id at the same time, one gets it', async () => {
  const locks = tabLocks()
  const claims = await Promise.all([tab(locks), tab(locks)].map((one) => one.claim(record('a'))))
  expect(claims.sort()).toEqual([false, true])
  expect(await tab(locks).claim(record('a'))).toBe(false)
})

test('another tab sees what was sent, and whether its sender is still there', async () => {
  const locks = tabLocks()
  const [sender, other] = [tab(locks), tab(locks)]
  await sender.claim(record('a'))
  let finish = () => {}
  const sending = sender.hold('a', async () => {
    sender.save(record('a', { hashes: ['0x1'] }))
    await new Promise<void>((resolve) => {
      finish = resolve
    })
  })
  await expect.poll(() => other.isHeld('a')).toBe(true)
  expect(other.find('a')?.hashes).toEqual(['0x1'])
  finish()
  await sending
  expect(await other.isHeld('a')).toBe(false)
})

test('calls of another organization, and what is no record, are not found', async () => {
  await tab().claim(record('a'))
  expect(tab(tabLocks(), 'pk_live_b').find('a')).toBeUndefined()
  for (const broken of ['{', '{}', '[1]', '[{"id":"a"}]']) {
    items.set('symbolon.calls.pk_live_a', broken)
    expect(tab().find('a')).toBeUndefined()
  }
})

test('the twenty newest are kept, and fewer where the storage is full; a page never forgets its own', async () => {
  const page = tab()
  for (let i = 0; i < 25; i++) await page.claim(record(`id ${i}`))
  const next = tab()
  expect(Array.from({ length: 25 }, (_, i) => next.find(`id ${i}`) !== undefined).indexOf(true)).toBe(5)
  expect(page.find('id 0')).toBeDefined()
  bytesMax = 500
  page.save(record('last'))
  expect([next.find('last') !== undefined, next.find('id 10')]).toEqual([true, undefined])
})
