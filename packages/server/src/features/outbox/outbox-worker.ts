import type { Sql } from '../../db/pool.ts'
import type { Log } from '../../ports/log.ts'
import { MailError } from '../../ports/mailer.ts'
import { poller } from '../../runtime/poller.ts'
import { type Claimed, outboxStore, type Turns } from './outbox.store.ts'
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

/**
 * What a worker sends with. `random` is in 0..1, for jitter; `leaseMs` is 30 s when absent: longer than mailer and webhooks may take.
 */
export type OutboxWorkerCtx = {
  sql: Sql
  kind: OutboxKind
  deliver: (row: SealedRow) => Promise<unknown>
  log: Log
  random: () => number
  leaseMs?: number
}

/** The statement that writes how a send ended. */
type Outcome = () => Promise<void>

/** Sends under way, each with its organization, and outcomes that the database could not take yet: they are written before anything new is claimed. */
type Work = { sends: Map<Promise<void>, string>; unwritten: Set<Outcome> }

const sendsMax = 16
// One organization never fills all places: a message of another has one at once.
const shareMax = 12

/**
 * Makes a worker, whose leases end earlier when the process `holder` dies. Messages are sent at least once: a row is deleted after `deliver` resolved, and comes back when the worker dies, once its
 * lease ends.
 */
export function outboxWorker(ctx: OutboxWorkerCtx, holder?: string, pollMs = 1_000): OutboxWorker {
  const work: Work = { sends: new Map(), unwritten: new Set() }
  const { start, nudge, stop } = poller({
    periodMs: pollMs,
    pass: () => sendDue(ctx, work, { nudge, holder }),
    onError: (error) => ctx.log.warn({ err: error }, 'the outbox cannot be read'),
  })
  return {
    start() {
      start()
      nudge()
    },
    nudge,
    async stop() {
      await stop()
      await Promise.all(work.sends.keys())
    },
  }
}

/** Fills the free places with due rows. A message that hangs keeps its own place only; `nudge` asks for the next pass. */
async function sendDue(
  ctx: OutboxWorkerCtx,
  work: Work,
  { nudge, holder }: { nudge: () => void; holder: string | undefined },
): Promise<void> {
  const { sends, unwritten } = work
  for (const write of unwritten) {
    await write()
    unwritten.delete(write)
  }
  const rowsMax = sendsMax - sends.size
  if (rowsMax === 0) return
  const { sql, kind, leaseMs = 30_000 } = ctx
  const turns = turnsOf(sends)
  const claimed = await outboxStore.claim(sql, {
    kind,
    rowsMax,
    leaseMs,
    turns,
    ...(holder !== undefined && { holder }),
  })
  for (const row of claimed) {
    const sending: Promise<void> = send(ctx, unwritten, row).finally(() => {
      const wasFull = sends.size === sendsMax || heldBy(sends, row.organizationId) === shareMax
      sends.delete(sending)
      if (wasFull || unwritten.size > 0) nudge()
    })
    sends.set(sending, row.organizationId)
  }
  // More may be due, of an organization whose places have become free meanwhile too.
  if (claimed.length > 0 && sends.size < sendsMax) nudge()
}

function turnsOf(sends: Work['sends']): Turns {
  const held = new Map<string, number>()
  for (const organizationId of sends.values()) held.set(organizationId, (held.get(organizationId) ?? 0) + 1)
  return { held, share: shareMax }
}

const heldBy = (sends: Work['sends'], organizationId: string): number =>
  turnsOf(sends).held.get(organizationId) ?? 0

async function send(ctx: OutboxWorkerCtx, unwritten: Set<Outcome>, claimed: Claimed): Promise<void> {
  const write = await deliver(ctx, claimed)
  try {
    await write()
  } catch (error) {
    unwritten.add(write)
    ctx.log.warn({ err: error, outboxId: claimed.id }, 'the outbox cannot be written')
  }
}

async function deliver(ctx: OutboxWorkerCtx, claimed: Claimed): Promise<Outcome> {
  const { sql, kind, log, random } = ctx
  try {
    await ctx.deliver(claimed)
    return () => outboxStore.remove(sql, claimed)
  } catch (error) {
    const { id, attempts, isExpiring } = claimed
    const delayMs = retryDelayMs(attempts, { isExpiring, random: random() })
    const facts = { err: error instanceof MailError ? error.cause : error, outboxId: id, kind, attempts }
    if (delayMs === undefined) {
      const { err, ...rest } = facts
      log.error({ ...rest, failure: err instanceof Error ? err.message : 'unknown' }, 'a message is given up')
      return () => outboxStore.remove(sql, claimed)
    }
    log.warn({ ...facts, delayMs }, 'a message could not be sent and is tried again')
    return () => outboxStore.postpone(sql, claimed, delayMs)
  }
}
