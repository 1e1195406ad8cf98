import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silenceWatch } from './silence-watch.ts'

const silenceMs = 1_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A connection to a host that answers, or does not. */
function connection(watch: ReturnType<typeof silenceWatch>, { isOwed = false, isAnswered = false } = {}) {
  const state = { isOwed, isAnswered, bytes: 0, ended: undefined as Error | undefined }
  const watched = watch({
    isOwed: () => state.isOwed,
    bytesRead: () => {
      state.bytes += state.isAnswered ? 1 : 0
      return state.bytes
    },
    end: (reason) => {
      state.ended = reason
      watched.letGo()
    },
  })
  return state
}

test('a statement that is left without an answer ends its connection, an idle or slow one does not', () => {
  const unanswered = connection(silenceWatch(silenceMs), { isOwed: true })
  const watch = silenceWatch(silenceMs)
  const [idle, slow] = [connection(watch), connection(watch, { isOwed: true, isAnswered: true })]
  vi.advanceTimersByTime(2_500)
  expect(unanswered.ended).toMatchObject({ code: 'ETIMEDOUT' })
  expect([idle.ended, slow.ended]).toEqual([undefined, undefined])

  // One of them is left alone now: the other, which is idle, leads to the same host.
  slow.isAnswered = false
  vi.advanceTimersByTime(2_000)
  for (const { ended } of [idle, slow]) expect(ended).toMatchObject({ code: 'ETIMEDOUT' })
})
