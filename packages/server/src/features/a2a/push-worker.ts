import type { Sql } from '../../db/pool.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Outbound } from '../../ports/outbound.ts'
import type { PlatformKey } from '../jwks/platform-key.ts'
import { pushBody, pushHeaders } from './push-body.ts'
import type { PushTargets } from './push-config.ts'
import { type ClaimedPush, pushesStore } from './pushes.store.ts'
import { tasksStore } from './tasks.store.ts'

/** Tells receivers of their tasks, beside the workers of other processes. */
export type PushWorker = {
  start(): void
  /** Resolves when what was being told is told or put back. */
  stop(): Promise<void>
}

const sendsMax = 16
const pollMs = 500
// Longer than the outbound guard lets a call take.
const leaseMs = 30_000

/** How long until the next try after so many; undefined: it is given up. */
export type RetryDelay = (attempts: number) => number | undefined

/** Makes a worker. At least once, in order for each receiver: what cannot be told holds back what comes after it, until it is given up. */
export function pushWorker(parts: {
  sql: Sql
  outbound: Outbound
  targets: PushTargets
  key: PlatformKey
  issuer: string
  clock: Clock
  log: Log
  retryDelayMs: RetryDelay
}): PushWorker {
  const { sql, outbound, targets, key, issuer, clock, log, retryDelayMs } = parts
  const sends = new Set<Promise<void>>()
  let isStopped = true
  let claiming: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function tell(push: ClaimedPush): Promise<void> {
    const run = await tasksStore.byRun(sql, push.runId)
    if (run === undefined) return
    const target = targets.open(push.runId, push.configSealed)
    const { body, contentType } = pushBody(run, push)
    const headers = pushHeaders(push, target, { body, key, issuer, nowMs: clock.nowMs() })
    const { status } = await outbound({
      url: target.url,
      method: 'POST',
      headers: { 'content-type': contentType, ...headers },
      body,
    })
    if (status < 200 || status >= 300) throw new Error(`The receiver answered ${status}.`)
  }

  async function work(push: ClaimedPush): Promise<void> {
    const { runId, attempts } = push
    try {
      try {
        await tell(push)
        await pushesStore.done(sql, push)
      } catch (error) {
        const delayMs = retryDelayMs(attempts)
        log.warn({ err: error, runId, attempts, delayMs }, 'a push notification could not be sent')
        if (delayMs === undefined) await pushesStore.done(sql, push)
        else await pushesStore.postpone(sql, push, delayMs)
      }
    } catch (error) {
      // Its lease ends by itself.
      log.warn({ err: error, runId }, 'the push notifications cannot be written')
    }
  }

  async function round(): Promise<void> {
    try {
      const places = sendsMax - sends.size
      for (const push of places > 0 ? await pushesStore.claim(sql, places, leaseMs) : []) {
        const sending: Promise<void> = work(push).finally(() => {
          sends.delete(sending)
          wake()
        })
        sends.add(sending)
      }
    } catch (error) {
      log.warn({ err: error }, 'the push notifications cannot be read')
    }
    claiming = undefined
    if (!isStopped) timer = setTimeout(wake, pollMs)
  }

  function wake(): void {
    if (isStopped || claiming !== undefined) return
    clearTimeout(timer)
    claiming = round()
  }

  return {
    start() {
      isStopped = false
      wake()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await claiming
      await Promise.all(sends)
    },
  }
}
