import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patienceLine } from './patience-line.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a start that takes longer than two seconds says once what it is doing', () => {
  const reported: string[] = []
  patienceLine((line) => reported.push(line))
  vi.advanceTimersByTime(1_999)
  expect(reported).toEqual([])
  vi.advanceTimersByTime(1)
  expect(reported).toHaveLength(1)
  vi.advanceTimersByTime(60_000)
  expect(reported).toEqual(['Starting: database, enclave, API …'])
})

test('a quick start says nothing before its table', () => {
  const reported: string[] = []
  const line = patienceLine((text) => reported.push(text))
  vi.advanceTimersByTime(1_500)
  line.end()
  vi.advanceTimersByTime(60_000)
  expect(reported).toEqual([])
})
