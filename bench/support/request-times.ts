import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** Where the time of one served request went, in ms. */
export type RequestTimes = {
  path: string
  /** From the request's head to the last byte of the answer. */
  totalMs: number
  /** Of that: at least one call of this request to another server was in flight, or one of its pauses ran. */
  outsideMs: number
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
type Record = { path: string; startedAt: number; outside: Interval[]; calls: number }
type Served = { request: { url?: string } }
type Called = { request: object }

/** A pause is a timer that ran out and was at least this long; shorter ones are our own batching. */
const pauseMinMs = 100

/**
 * Starts to record, without touching what it records: Node itself tells of every request that is served and of every call
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
    const record = { path: request.url ?? '', startedAt: performance.now(), outside: [], calls: 0 }
    records.set(request, record)
    current.enterWith(record)
  }
  const answered = (message: unknown) => {
    const { request } = message as Served
    const record = records.get(request)
    if (record === undefined) return
    const { path, startedAt, outside, calls } = record
    const endedAt = performance.now()
    finished.push({ path, totalMs: endedAt - startedAt, outsideMs: covered(outside, startedAt, endedAt), calls })
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
  const restoreTimers = recordPauses(() => current.getStore())

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

function recordPauses(recordOf: () => Record | undefined): () => void {
  const original = globalThis.setTimeout
  const recording = (callback: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const record = ms >= pauseMinMs ? recordOf() : undefined
    if (record === undefined) return original(callback, ms, ...given)
    const from = performance.now()
    const end = () => {
      record.outside.push({ from, to: performance.now() })
      callback(...given)
    }
    return original(end, ms)
  }
  globalThis.setTimeout = Object.assign(recording, original) as unknown as typeof original
  return () => {
    globalThis.setTimeout = original
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
