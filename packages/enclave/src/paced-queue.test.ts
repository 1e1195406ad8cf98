import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pacedQueue } from './paced-queue.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pace = { atOnceMax: 3, everyMs: 50, waitMaxMs: 1_000, waitingMax: 30 }
const pause = (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, 'done'))

test('work starts in order, no two within the pace', async () => {
  const queue = pacedQueue(pace, Date.now)
  const begun = Date.now()
  const starts: [number, number][] = []
  const all = Array.from({ length: 10 }, (_, i) =>
    queue.run(async () => {
      starts.push([i, Date.now() - begun])
    }),
  )
  await vi.advanceTimersByTimeAsync(1_000)
  await Promise.all(all)
  expect(starts).toEqual(Array.from({ length: 10 }, (_, i) => [i, i * 50]))
})

test('only so much is done at a time, and what waited too long is not done', async () => {
  const queue = pacedQueue(pace, Date.now)
  let running = 0
  let most = 0
  const results = Array.from({ length: 9 }, () =>
    queue.run(async () => {
      running += 1
      most = Math.max(most, running)
      const result = await pause(700)
      running -= 1
      return result
    }),
  )
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await Promise.all(results)).toEqual([...Array(6).fill('done'), ...Array(3).fill(undefined)])
  expect(most).toBe(3)
})

test('beyond those that may wait, nobody does', async () => {
  const queue = pacedQueue({ ...pace, waitingMax: 2 }, Date.now)
  const results = Array.from({ length: 6 }, () => queue.run(() => pause(10)))
  await vi.advanceTimersByTimeAsync(2_000)
  expect((await Promise.all(results)).filter((result) => result === 'done')).toHaveLength(3)
})

test('work that fails gives its place back', async () => {
  const queue = pacedQueue({ ...pace, atOnceMax: 1 }, Date.now)
  await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  const next = queue.run(() => pause(1))
  await vi.advanceTimersByTimeAsync(200)
  expect(await next).toBe('done')
})
