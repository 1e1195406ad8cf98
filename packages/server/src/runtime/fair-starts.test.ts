import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fairStarts } from './fair-starts.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Starts whose clock the test moves; the order in which groups started, and what ends their requests. */
function startsOf() {
  const starts = fairStarts({
    nowMs: Date.now,
    refuse: (afterSeconds) => new Error(`again in ${afterSeconds}`),
  })
  const order: string[] = []
  const ends: (() => void)[] = []
  let refused = 0
  const ask = (group: string, count = 1) => {
    for (let i = 0; i < count; i++)
      void starts.start(group).then(
        (end) => {
          order.push(group)
          ends.push(end)
        },
        () => {
          refused += 1
        },
      )
  }
  const settle = () => vi.advanceTimersByTimeAsync(0)
  return { order, ends, ask, settle, refused: () => refused }
}

test('a group alone starts whatever comes', async () => {
  const { order, ask, settle } = startsOf()
  ask('only', 500)
  await settle()
  expect(order).toHaveLength(500)
})

test('beside others a group has four under way, and each that ends is the next one’s', async () => {
  const { order, ends, ask, settle } = startsOf()
  ask('other')
  await settle()
  ends.splice(0)[0]?.()
  ask('flood', 100)
  await settle()
  expect(order).toHaveLength(1 + 4)
  ends[0]?.()
  ends[0]?.()
  await settle()
  expect(order).toHaveLength(1 + 5)
})

test('who has nothing under way waits for nobody, and of those who wait each has the same share', async () => {
  const { order, ends, ask, settle } = startsOf()
  ask('other')
  ask('flood', 100)
  await settle()
  ask('third')
  await settle()
  expect(order.at(-1)).toBe('third')
  ask('third', 50)
  await settle()
  const before = order.length
  for (let round = 0; round < 40; round++) {
    await vi.advanceTimersByTimeAsync(5)
    ends.shift()?.()
  }
  await settle()
  const flood = order.slice(before).filter((group) => group === 'flood').length
  const third = order.slice(before).filter((group) => group === 'third').length
  expect(flood + third).toBeGreaterThan(30)
  expect(Math.abs(flood - third)).toBeLessThanOrEqual(4)
})

test('what waits for something else keeps nobody from starting', async () => {
  const { order, ask, settle } = startsOf()
  ask('other')
  ask('flood', 9)
  await settle()
  const first = order.length
  await vi.advanceTimersByTimeAsync(25)
  expect(order.length).toBeGreaterThanOrEqual(first + 4)
  await vi.advanceTimersByTimeAsync(50)
  expect(order).toHaveLength(10)
})

test('of a group, no more than 1,024 wait', async () => {
  const { ask, settle, refused } = startsOf()
  ask('other')
  ask('flood', 1_100)
  await settle()
  expect(refused()).toBeGreaterThan(60)
  expect(refused()).toBeLessThan(80)
})
