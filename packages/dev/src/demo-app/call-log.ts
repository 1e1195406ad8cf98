import type { SdkError } from '@symbolon/sdk'
import { useSyncExternalStore } from 'react'

/** One HTTP request of this page, as the browser timed it. */
export type LoggedRequest = { path: string; status: number; ms: number }

/** One call of the SDK: the code that a developer would write, and what came of it. */
export type LoggedCall = {
  id: number
  at: number
  code: string
  state: 'running' | 'done' | 'failed'
  ms: number
  outcome: string
  requests: readonly LoggedRequest[]
}

const keptMax = 60
let calls: readonly LoggedCall[] = []
const listeners = new Set<() => void>()

/** What any call answers; `wallet_exists` has both. */
export type Outcome<data> =
  | { readonly data: data; readonly error: null }
  | { readonly data: data | null; readonly error: SdkError }

/** Runs a call and keeps it in the log: `code` as in an editor, with its time, its result and the page's own requests. */
export async function logged<data>(code: string, work: () => Promise<Outcome<data>>): Promise<Outcome<data>> {
  const id = (calls[0]?.id ?? 0) + 1
  const startedAt = performance.now()
  const call: LoggedCall = { id, at: Date.now(), code, state: 'running', ms: 0, outcome: '', requests: [] }
  calls = [call, ...calls].slice(0, keptMax)
  tell()
  const result = await work()
  const ms = performance.now() - startedAt
  const isDone = result.error === null
  replace({
    ...call,
    ms,
    state: isDone ? 'done' : 'failed',
    outcome: isDone ? shown(result.data) : `${result.error.code}: ${result.error.message}`,
  })
  // The browser reports a request a moment after its answer.
  setTimeout(() => {
    const kept = calls.find((other) => other.id === id)
    if (kept !== undefined) replace({ ...kept, requests: requestsSince(startedAt, startedAt + ms) })
  }, 50)
  return result
}

/** The log, newest first. */
export function useCallLog(): readonly LoggedCall[] {
  return useSyncExternalStore(subscribe, () => calls)
}

/** Empties the log. */
export function clearCallLog(): void {
  calls = []
  tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function replace(call: LoggedCall): void {
  calls = calls.map((other) => (other.id === call.id ? call : other))
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** A login token is no secret from its own user, and yet nothing to leave on a screen. */
function shown(data: unknown): string {
  const hidden = (key: string, value: unknown) =>
    key === 'token' ? '…' : typeof value === 'bigint' ? `${value}n` : value
  return data === null || data === undefined ? 'done' : JSON.stringify(data, hidden, 2)
}

function requestsSince(fromMs: number, toMs: number): LoggedRequest[] {
  return performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    .filter(
      ({ name, startTime }) => startTime >= fromMs && startTime <= toMs && /\/(v1|dev\/faucet)/.test(name),
    )
    .map(({ name, responseStatus, duration }) => ({
      path: new URL(name).pathname,
      status: responseStatus,
      ms: duration,
    }))
}
