import type { Sql } from '../../../db/pool.ts'
import type { Log } from '../../../ports/log.ts'
import type { Outbound } from '../../../ports/outbound.ts'
import { type Poller, poller, wokenPeriodMs } from '../../../runtime/poller.ts'
import { retryDelayMs } from '../../outbox/index.ts'
import { type PushIssuer, pushBody, pushHeaders } from './push-body.ts'
import type { PushTargets } from './push-config.ts'
import { type ClaimedPush, pushesStore } from './pushes.store.ts'
import { tasksStore } from './tasks.store.ts'

/** Sends push notifications, beside the workers of other processes. `stop` resolves when those under way are sent or put back. */
export type PushWorker = Poller

/** The context for sending notifications; `jitter` is in 0..1. */
export type PushCtx = {
  sql: Sql
  outbound: Outbound
  targets: PushTargets
  issuer: PushIssuer
  log: Log
  jitter: () => number
}

const sendsMax = 32
// Of one organization at once: its slow receivers hold up its own notifications only.
const shareMax = 8
// Longer than the outbound guard lets a call take.
const leaseMs = 30_000

/** Makes a worker, whose leases end when the process `holder` dies. It sends at least once, and to each receiver in order: a notification that fails holds back the next ones until it is given up. */
export function pushWorker(ctx: PushCtx, holder: string): PushWorker {
  const sends = new Map<Promise<void>, ClaimedPush>()
  let isStopped = true

  function begin(push: ClaimedPush): void {
    const sending: Promise<void> = settle(ctx, push).finally(() => {
      sends.delete(sending)
      filling.nudge()
    })
    sends.set(sending, push)
  }

  /** Fills the free places, by no more than a share at once. */
  async function fill(): Promise<void> {
    while (!isStopped && sends.size < sendsMax) {
      const rowsMax = Math.min(sendsMax - sends.size, shareMax)
      const full = fullShares([...sends.values()])
      const claimed = await pushesStore.claim(ctx.sql, { rowsMax, leaseMs, full, holder })
      for (const push of claimed) begin(push)
      if (claimed.length < rowsMax) return
    }
  }

  const filling = poller({
    periodMs: wokenPeriodMs,
    pass: fill,
    onError: (error) => ctx.log.warn({ err: error }, 'the push notifications cannot be read'),
  })

  return {
    start() {
      isStopped = false
      filling.start()
      filling.nudge()
    },
    nudge: filling.nudge,
    async stop() {
      isStopped = true
      await filling.stop()
      await Promise.all(sends.keys())
    },
  }
}

/** The organizations that have their share of the places. */
function fullShares(pushes: readonly ClaimedPush[]): string[] {
  const counts = new Map<string, number>()
  for (const { organizationId } of pushes) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
  return [...counts].flatMap(([id, count]) => (count < shareMax ? [] : [id]))
}

/** Sends a notification; one that fails is put off, or given up. */
async function settle(ctx: PushCtx, push: ClaimedPush): Promise<void> {
  const { sql, log, jitter } = ctx
  const { runId, attempts } = push
  try {
    try {
      await send(ctx, push)
      await pushesStore.done(sql, push)
    } catch (error) {
      const delayMs = retryDelayMs(attempts, { isExpiring: false, random: jitter() })
      log.warn({ err: error, runId, attempts, delayMs }, 'a push notification could not be sent')
      if (delayMs === undefined) await pushesStore.done(sql, push)
      else await pushesStore.postpone(sql, push, delayMs)
    }
  } catch (error) {
    // Its lease ends by itself.
    log.warn({ err: error, runId }, 'the push notifications cannot be written')
  }
}

async function send({ sql, outbound, targets, issuer }: PushCtx, push: ClaimedPush): Promise<void> {
  const run = await tasksStore.byRun(sql, push.runId)
  if (run === undefined) return
  const target = targets.open(push.runId, push.configSealed)
  const { body, contentType } = pushBody(run, push)
  const headers = pushHeaders(push, target, issuer, body)
  const { status } = await outbound({
    url: target.url,
    method: 'POST',
    headers: { 'content-type': contentType, ...headers },
    body,
  })
  if (status < 200 || status >= 300) throw new Error(`The receiver answered ${status}.`)
}
