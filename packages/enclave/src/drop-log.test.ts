import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dropLog } from './drop-log.ts'

let lines: unknown[]
beforeEach(() => {
  vi.useFakeTimers()
  lines = []
})
afterEach(() => {
  vi.useRealTimers()
})

const newLog = () =>
  dropLog((event, fields) => lines.push([event, fields?.['reason'], fields?.['connections']]))
const dropped = (reason: string, connections: number) => ['connections dropped', reason, connections]

test('a thousand strangers in a second are two lines, and none of them is missing', () => {
  const drop = newLog()
  for (let i = 0; i < 1_000; i += 1) drop('record')
  drop('time limit')
  expect(lines).toEqual([dropped('record', 1), dropped('time limit', 1)])
  vi.advanceTimersByTime(1_000)
  expect(lines.slice(2)).toEqual([dropped('record', 999)])
})

test('those that keep coming are one line a second, and after a quiet second the next is told at once', () => {
  const drop = newLog()
  for (let ms = 0; ms < 3_000; ms += 100) {
    drop('record')
    vi.advanceTimersByTime(100)
  }
  expect(lines).toEqual([
    dropped('record', 1),
    dropped('record', 9),
    dropped('record', 10),
    dropped('record', 10),
  ])
  vi.advanceTimersByTime(2_000)
  drop('record')
  expect(lines.slice(4)).toEqual([dropped('record', 1)])
})
