import { expect, test } from 'vitest'
import { inGroups } from './in-groups.ts'

const items = Array.from({ length: 20 }, (_, i) => i)

test('every item is run, at most a group at once, and its result stands in its place', async () => {
  let running = 0
  let most = 0
  const run = async (item: number) => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running -= 1
    return item * 2
  }
  const results = await inGroups(items, run, { groupMax: 8, beginWithinMs: 60_000 })
  expect(results).toEqual(items.map((item) => item * 2))
  expect(most).toBe(8)
})

test('late groups are not begun: nothing was done for an item without a result', async () => {
  const begun: number[] = []
  const run = async (item: number) => {
    begun.push(item)
    const until = performance.now() + 20
    while (performance.now() < until) await new Promise(setImmediate)
    return item
  }
  const results = await inGroups(items, run, { groupMax: 8, beginWithinMs: 20 })
  expect(begun).toEqual(items.slice(0, 8))
  expect(results).toEqual([...items.slice(0, 8), ...Array(12).fill(undefined)])
})

test('the first group begins in any case, and one that fails ends all', async () => {
  expect(await inGroups(items.slice(0, 8), async (item) => item, { groupMax: 8, beginWithinMs: 0 })).toEqual(
    items.slice(0, 8),
  )
  const failing = async () => Promise.reject(new Error('The service is down.'))
  await expect(inGroups(items, failing, { groupMax: 8, beginWithinMs: 60_000 })).rejects.toThrow('is down')
})
