import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { httpCall } from './http-call.ts'

let warned: MockInstance<typeof console.warn>
beforeEach(() => {
  vi.useFakeTimers()
  warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => void vi.useRealTimers())

type Routes = { 'POST /v1/sign': { body: number; data: number; code: 'rate_limited' } }

/** A service of the documented rate: three at once, then one in five seconds. */
function service({ burst = 3, periodMs = 5_000, wayMs = (_id: number): number => 1 } = {}) {
  const answered: number[] = []
  let sent = 0
  let tat = 0
  const call = httpCall<Routes>({
    baseUrl: 'https://api.example',
    headers: () => ({}),
    fetch: async (_url, init) => {
      sent++
      const id = Number(init?.body)
      await new Promise((resolve) => setTimeout(resolve, wayMs(id)))
      const now = Date.now()
      const waitMs = Math.max(tat, now) + periodMs - burst * periodMs - now
      if (waitMs > 0)
        return Response.json(
          { data: null, error: { code: 'rate_limited', message: 'Later.' } },
          { status: 429, headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) } },
        )
      tat = Math.max(tat, now) + periodMs
      answered.push(id)
      return Response.json({ data: id, error: null })
    },
  })
  const sign = (id: number, signal?: AbortSignal) =>
    call('POST /v1/sign', { body: id, ...(signal !== undefined && { signal }) })
  return { sign, answered, sent: () => sent }
}

const numbers = (length: number) => Array.from({ length }, (_, i) => i)

test('ten at once all pass within 40 s, those that were refused in the order in which they were made', async () => {
  // The one that was made last comes first.
  const { sign, answered } = service({ wayMs: (id) => 20 - id })
  const startedAt = Date.now()
  const calls = Promise.all(numbers(10).map((id) => sign(id)))
  await vi.advanceTimersByTimeAsync(40_000)
  expect((await calls).map(({ data }) => data)).toEqual(numbers(10))
  expect(Date.now() - startedAt).toBeLessThanOrEqual(40_000)
  // One line for all that wait, not one for each.
  expect(warned.mock.calls).toEqual([['POST /v1/sign: rate limited, sent again in 5 s']])
  const late = answered.slice(3)
  expect(late).toEqual([...late].sort((a, b) => a - b))
})

test('a new call goes behind those that wait, and is sent once its turn has come', async () => {
  const { sign, answered, sent } = service()
  const calls = [0, 1, 2, 3, 4].map((id) => sign(id))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent()).toBe(5)
  calls.push(sign(19))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent()).toBe(5)
  await vi.advanceTimersByTimeAsync(15_000)
  await Promise.all(calls)
  expect(answered.slice(3)).toEqual([3, 4, 19])
})

test('one that is cancelled while it waits leaves the line, and holds up nobody', async () => {
  const { sign, answered } = service()
  const abort = new AbortController()
  const calls = [sign(0), sign(1), sign(2), sign(3, abort.signal), sign(4)]
  await vi.advanceTimersByTimeAsync(1_000)
  abort.abort()
  expect((await calls[3])?.error?.code).toBe('cancelled')
  await vi.advanceTimersByTimeAsync(5_000)
  expect((await calls[4])?.data).toBe(4)
  expect(answered).not.toContain(3)
})

test('a wait of more than 10 s is handed on at once, and none lasts longer than 90 s in all', async () => {
  const long = service({ burst: 1, periodMs: 11_000 })
  await Promise.all([long.sign(0), vi.advanceTimersByTimeAsync(100)])
  const refused = long.sign(1)
  await vi.advanceTimersByTimeAsync(100)
  expect((await refused).error?.code).toBe('rate_limited')
  expect(warned).not.toHaveBeenCalled()

  const slow = service({ burst: 1, periodMs: 9_000 })
  const startedAt = Date.now()
  const calls = Promise.all(numbers(15).map((id) => slow.sign(id)))
  await vi.advanceTimersByTimeAsync(100_000)
  const codes = (await calls).map(({ error }) => error?.code)
  expect(Date.now() - startedAt).toBeLessThanOrEqual(100_000)
  expect(codes.filter((code) => code === undefined).length).toBeGreaterThanOrEqual(10)
  expect(codes.slice(12)).toEqual(['rate_limited', 'rate_limited', 'rate_limited'])
})

test('no timer stays behind the last call', async () => {
  const { sign } = service()
  const calls = Promise.all(numbers(6).map((id) => sign(id)))
  await vi.advanceTimersByTimeAsync(20_000)
  await calls
  expect(vi.getTimerCount()).toBe(0)
})
