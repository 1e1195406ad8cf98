import type { Sql } from '../../../db/pool.ts'
import type { Log } from '../../../ports/log.ts'
import type { Outbound } from '../../../ports/outbound.ts'
import type { PlatformKey } from '../../jwks/index.ts'
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

const sendsMax = 32
// Of one organization, in one go; one that has as many under way waits, so that its slow receivers hold up its own only.
const shareMax = 8
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
  log: Log
  retryDelayMs: RetryDelay
}): PushWorker {
  const { sql, outbound, targets, key, issuer, log, retryDelayMs } = parts
  const sends = new Map<Promise<void>, ClaimedPush>()
  let isStopped = true
  let claiming: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function tell(push: ClaimedPush): Promise<void> {
    const run = await tasksStore.byRun(sql, push.runId)
    if (run === undefined) return
    const target = targets.open(push.runId, push.configSealed)
    const { body, contentType } = pushBody(run, push)
    const headers = pushHeaders(push, target, { body, key, issuer })
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

  function begin(push: ClaimedPush): void {
    const sending: Promise<void> = work(push).finally(() => {
      sends.delete(sending)
      wake()
    })
    sends.set(sending, push)
  }

  /** The organizations that have their share of the places. */
  function full(): string[] {
    const counts = new Map<string, number>()
    for (const { organizationId } of sends.values())
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    return [...counts].flatMap(([id, count]) => (count < shareMax ? [] : [id]))
  }

  /** Fills the free places, by no more than a share at once. */
  async function fill(): Promise<void> {
    while (!isStopped && sends.size < sendsMax) {
      const rowsMax = Math.min(sendsMax - sends.size, shareMax)
      const claimed = await pushesStore.claim(sql, { rowsMax, leaseMs, full: full() })
      for (const push of claimed) begin(push)
      if (claimed.length < rowsMax) return
    }
  }

  function wake(): void {
    if (isStopped || claiming !== undefined) return
    clearTimeout(timer)
    claiming = fill()
      .catch((error: unknown) => log.warn({ err: error }, 'the push notifications cannot be read'))
      // Only now: where there is no place it has ended before `claiming` was set.
      .finally(() => {
        claiming = undefined
        if (!isStopped) timer = setTimeout(wake, pollMs)
      })
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
      await Promise.all(sends.keys())
    },
  }
}
