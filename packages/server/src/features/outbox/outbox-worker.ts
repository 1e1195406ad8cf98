import type { Sql } from '../../db/pool.ts'
import type { Log } from '../../ports/log.ts'
import { MailError } from '../../ports/mailer.ts'
import { type Claimed, outboxStore } from './outbox.store.ts'
import type { OutboxKind, SealedRow } from './outbox.ts'
import { retryDelayMs } from './retry-schedule.ts'

/** Sends what waits in the outbox, beside the workers of other processes. Each kind has workers of its own: none waits for another. */
export type OutboxWorker = {
  start(): void
  /** Looks for what is due now rather than at the next poll. */
  nudge(): void
  /** Resolves when what was being sent is sent or put back; nothing is claimed afterwards. */
  stop(): Promise<void>
}

const sendsMax = 16
const pollMs = 1_000

/**
 * Makes a worker. At least once: a row is deleted after `deliver` resolved, and comes back when the worker dies, once its
 * lease ends (30 s; longer than the deadlines of mailer and webhooks). `random` is in 0..1, for jitter.
 */
export function outboxWorker(options: {
  sql: Sql
  kind: OutboxKind
  deliver: (row: SealedRow) => Promise<unknown>
  log: Log
  random: () => number
  leaseMs?: number
}): OutboxWorker {
  const { sql, kind, deliver, log, random, leaseMs = 30_000 } = options
  const sends = new Set<Promise<void>>()
  // Outcomes that the database could not take when they came: told before anything new is claimed.
  const untold = new Set<() => Promise<void>>()
  let isStopped = true
  let isNudged = false
  let claiming: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** Sends, and answers the statement that tells the database how it went. */
  async function send(claimed: Claimed): Promise<() => Promise<void>> {
    const { id, attempts, isExpiring } = claimed
    try {
      await deliver(claimed)
      return () => outboxStore.remove(sql, claimed)
    } catch (error) {
      const delayMs = retryDelayMs(attempts, { isExpiring, random: random() })
      const cause = error instanceof MailError ? error.cause : error
      if (delayMs === undefined) {
        log.error({ err: cause, outboxId: id, kind, attempts }, 'a message is given up')
        return () => outboxStore.remove(sql, claimed)
      }
      log.warn(
        { err: cause, outboxId: id, kind, attempts, delayMs },
        'a message could not be sent and is tried again',
      )
      return () => outboxStore.postpone(sql, claimed, delayMs)
    }
  }

  async function work(claimed: Claimed): Promise<void> {
    const tell = await send(claimed)
    try {
      await tell()
    } catch (error) {
      untold.add(tell)
      log.warn({ err: error, outboxId: claimed.id }, 'the outbox cannot be written')
    }
  }

  /** Fills the free places; a message that hangs keeps its own place only. Answers whether more may be due. */
  async function claim(): Promise<boolean> {
    for (const tell of untold) {
      await tell()
      untold.delete(tell)
    }
    const rowsMax = sendsMax - sends.size
    if (rowsMax === 0) return false
    const claimed = await outboxStore.claim(sql, { kind, rowsMax, leaseMs })
    for (const row of claimed) {
      const sending: Promise<void> = work(row).finally(() => {
        sends.delete(sending)
        if (sends.size === sendsMax - 1 || untold.size > 0) wake()
      })
      sends.add(sending)
    }
    return claimed.length === rowsMax
  }

  async function round(): Promise<void> {
    isNudged = false
    try {
      isNudged = (await claim()) || isNudged
    } catch (error) {
      log.warn({ err: error }, 'the outbox cannot be read')
    }
    claiming = undefined
    if (isStopped) return
    if (isNudged && sends.size < sendsMax) wake()
    else timer = setTimeout(wake, pollMs)
  }

  function wake(): void {
    if (isStopped) return
    isNudged = true
    if (claiming !== undefined) return
    clearTimeout(timer)
    claiming = round()
  }

  return {
    start() {
      if (!isStopped) return
      isStopped = false
      wake()
    },
    nudge: wake,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await claiming
      await Promise.all(sends)
    },
  }
}
