import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** Where the time of one served request went, in ms. */
export type RequestTimes = {
  path: string
  /** From the request's head to the last byte of the answer. */
  totalMs: number
  /** Of that: at least one call of this request to another server was in flight, or one of its pauses ran. */
  outsideMs: number
  /** As `outsideMs`, with all of the time in which it waited for the chain, whatever it did meanwhile. */
  outsideAndWaitingMs: number
  /** How many calls to other servers it made until its answer. */
  calls: number
}

/** Listens to all HTTP servers and clients of this process. */
export type RequestRecorder = {
  /** What was served since the last call, in the order of the answers. */
  take(): RequestTimes[]
  stop(): void
}

type Interval = { from: number; to: number }
type Record = { path: string; startedAt: number; outside: Interval[]; waits: Interval[]; calls: number }
type Served = { request: { url?: string } }
type Called = { request: object }

/** A pause is a timer that ran out and was at least this long; shorter ones are our own batching. */
const pauseMinMs = 100
/** A submit's wait for the chain has this limit or a longer one; nothing else in a request has. */
const waitMinMs = 20_000

/**
 * Starts to record, without touching what it records: Node itself reports every request that is served and of every call
 * that is made, and the asynchronous context says which call belongs to which request. A call is in flight from its making
 * to the head of its answer: writing and reading the JSON of both is ours. Only calls by node:http count.
 */
export function recordRequests(): RequestRecorder {
  const current = new AsyncLocalStorage<Record>()
  const records = new WeakMap<object, Record>()
  const flights = new WeakMap<object, Interval>()
  let finished: RequestTimes[] = []

  const served = (message: unknown) => {
    const { request } = message as Served
    const record = { path: request.url ?? '', startedAt: performance.now(), outside: [], waits: [], calls: 0 }
    records.set(request, record)
    current.enterWith(record)
  }
  const answered = (message: unknown) => {
    const { request } = message as Served
    const record = records.get(request)
    if (record === undefined) return
    const { path, startedAt, outside, waits, calls } = record
    const endedAt = performance.now()
    finished.push({
      path,
      totalMs: endedAt - startedAt,
      outsideMs: covered(outside, startedAt, endedAt),
      outsideAndWaitingMs: covered([...outside, ...waits], startedAt, endedAt),
      calls,
    })
  }
  const called = (message: unknown) => {
    const record = current.getStore()
    if (record === undefined) return
    const flight = { from: performance.now(), to: Number.POSITIVE_INFINITY }
    record.outside.push(flight)
    record.calls += 1
    flights.set((message as Called).request, flight)
  }
  const returned = (message: unknown) => {
    const flight = flights.get((message as Called).request)
    if (flight !== undefined) flight.to = Math.min(flight.to, performance.now())
  }
  const listeners = [
    ['http.server.request.start', served],
    ['http.server.response.finish', answered],
    ['http.client.request.created', called],
    ['http.client.response.finish', returned],
    ['http.client.request.error', returned],
  ] as const
  for (const [name, listener] of listeners) subscribe(name, listener)
  const restoreTimers = recordTimers(() => current.getStore())

  return {
    take() {
      const taken = finished
      finished = []
      return taken
    },
    stop() {
      for (const [name, listener] of listeners) unsubscribe(name, listener)
      restoreTimers()
    },
  }
}

/** Pauses end when their timer runs out; a wait begins with the timer of its limit and ends when that is cleared. */
function recordTimers(recordOf: () => Record | undefined): () => void {
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const waits = new WeakMap<object, Interval>()
  const setRecorded = (callback: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const record = ms >= pauseMinMs ? recordOf() : undefined
    if (record === undefined) return set(callback, ms, ...given)
    const interval = { from: performance.now(), to: Number.POSITIVE_INFINITY }
    const timer = set(() => {
      interval.to = performance.now()
      if (ms < waitMinMs) record.outside.push(interval)
      callback(...given)
    }, ms)
    if (ms < waitMinMs) return timer
    record.waits.push(interval)
    waits.set(timer, interval)
    return timer
  }
  const clearRecorded = (timer?: NodeJS.Timeout | string | number) => {
    const wait = typeof timer === 'object' ? waits.get(timer) : undefined
    if (wait !== undefined) wait.to = Math.min(wait.to, performance.now())
    clear(timer)
  }
  globalThis.setTimeout = Object.assign(setRecorded, set) as unknown as typeof set
  globalThis.clearTimeout = clearRecorded
  return () => {
    globalThis.setTimeout = set
    globalThis.clearTimeout = clear
  }
}

/** How much of a span the intervals cover together. */
function covered(intervals: readonly Interval[], from: number, to: number): number {
  let sum = 0
  let reached = from
  for (const interval of [...intervals].sort((a, b) => a.from - b.from)) {
    const end = Math.min(interval.to, to)
    if (end <= reached) continue
    sum += end - Math.max(interval.from, reached)
    reached = end
  }
  return sum
}
