import { expect, test } from 'vitest'
import { fairTurns } from './fair-turns.ts'

/** Turns whose clock is moved by their work alone. */
function turnsOf() {
  let clockMs = 0
  const turns = fairTurns({
    nowMs: () => clockMs,
    refuse: (afterSeconds) => new Error(`again in ${afterSeconds}`),
    later: (run, ms) => {
      setImmediate(() => {
        clockMs += ms
        run()
      })
    },
  })
  const order: string[] = []
  const work = (group: string, costMs: number) =>
    turns.run(group, () => {
      clockMs += costMs
      order.push(group)
    })
  return { turns, order, work, nowMs: () => clockMs }
}

test('work of one group among much of another waits for one turn, not for all', async () => {
  const { order, work } = turnsOf()
  const flood = Promise.all(Array.from({ length: 50 }, () => work('flood', 20)))
  await work('other', 1)
  expect(order.length).toBeLessThanOrEqual(3)
  await flood
  expect(order).toHaveLength(51)
})

test('work runs at once where nobody waits, and returns or throws what it does', async () => {
  const { turns, order, work } = turnsOf()
  const first = work('a', 0)
  expect(order).toEqual(['a'])
  await first
  await expect(turns.run('a', () => 7)).resolves.toBe(7)
  await expect(
    turns.run('a', () => {
      throw new Error('bad')
    }),
  ).rejects.toThrow('bad')
})

test('what is made of a short body waits for nobody', async () => {
  const { turns, order, work } = turnsOf()
  const flood = Promise.all(Array.from({ length: 50 }, () => work('flood', 20)))
  await turns.run('other', () => order.push('short'), 1_024)
  expect(order).toEqual(['flood', 'short'])
  const long = turns.run('other', () => order.push('long'), 1_025)
  expect(order).toEqual(['flood', 'short'])
  await Promise.all([flood, long])
})

test('sockets are looked at between the slices, however much waits', async () => {
  const { order, work } = turnsOf()
  const all = Promise.all(Array.from({ length: 20 }, () => work('a', 5)))
  const seen = await new Promise<number>((resolve) => setImmediate(() => resolve(order.length)))
  expect(seen).toBeLessThan(5)
  await all
})

test('a group with two seconds of work waiting is refused more, and the others are not', async () => {
  const { work } = turnsOf()
  const ends = Promise.allSettled(Array.from({ length: 2_000 }, () => work('flood', 50)))
  // What its work takes is known from the first piece on.
  await new Promise((resolve) => setImmediate(resolve))
  await expect(work('flood', 50)).rejects.toThrow(/again in \d+/)
  await expect(work('other', 1)).resolves.toBeUndefined()
  const settled = await ends
  expect(settled.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(900)
})

test('beside others, a group with long work leaves half of the thread free; alone, or with short work, it does not', async () => {
  const { work, nowMs } = turnsOf()
  const tookMs = async (group: string, costMs: number) => {
    const startedMs = nowMs()
    await Promise.all(Array.from({ length: 10 }, () => work(group, costMs)))
    return nowMs() - startedMs
  }
  expect(await tookMs('flood', 20)).toBe(200)
  await work('other', 1)
  // The last one rests after its end.
  expect(await tookMs('flood', 20)).toBe(380)
  expect(await tookMs('light', 4)).toBe(40)
})
