import type { SdkError } from '@symbolon/sdk'
import { createContext, useContext, useSyncExternalStore } from 'react'

/** One HTTP request of this page, as the browser timed it. */
export type LoggedRequest = { path: string; status: number; ms: number }

/** One call of the SDK: the code that a developer would write, and its result. */
export type LoggedCall = {
  id: number
  at: number
  code: string
  state: 'running' | 'done' | 'failed'
  ms: number
  outcome: string
  requests: readonly LoggedRequest[]
}

/** The result of any call; `wallet_exists` has both. */
export type Outcome<data> =
  | { readonly data: data; readonly error: null }
  | { readonly data: data | null; readonly error: SdkError }

/** The calls of one page, newest first. */
export type CallLog = {
  readonly calls: () => readonly LoggedCall[]
  readonly subscribe: (listener: () => void) => () => void
  /** Runs a call and keeps it in the log: `code` as in an editor, with its time, its result and the page's own requests. */
  readonly run: <data>(code: string, work: () => Promise<Outcome<data>>) => Promise<Outcome<data>>
  readonly clear: () => void
}

const keptMax = 60

/** The log of the page that React renders. */
export const CallLogContext = createContext<CallLog | null>(null)

/** The page's log; throws outside of `CallLogContext`. */
export function useCallLog(): CallLog {
  const log = useContext(CallLogContext)
  if (log === null) throw new Error('useCallLog needs a CallLogContext.')
  return log
}

/** The logged calls, newest first; renders again with each change. */
export function useLoggedCalls(): readonly LoggedCall[] {
  const { subscribe, calls } = useCallLog()
  return useSyncExternalStore(subscribe, calls)
}

/** An empty log. */
export function callLog(): CallLog {
  let calls: readonly LoggedCall[] = []
  const listeners = new Set<() => void>()
  const set = (next: readonly LoggedCall[]) => {
    calls = next
    for (const listener of listeners) listener()
  }
  const replace = (call: LoggedCall) => set(calls.map((other) => (other.id === call.id ? call : other)))

  return {
    calls: () => calls,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async run(code, work) {
      const id = (calls[0]?.id ?? 0) + 1
      const startedAt = performance.now()
      const call: LoggedCall = {
        id,
        at: Date.now(),
        code,
        state: 'running',
        ms: 0,
        outcome: '',
        requests: [],
      }
      set([call, ...calls].slice(0, keptMax))
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
    },
    clear: () => set([]),
  }
}

/** Hides the login token: its user may know it, but it does not belong on a screen. */
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
