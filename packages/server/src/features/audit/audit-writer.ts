import { ApiError } from '@symbolon/api'
import type { Attempts } from '../../db/attempts.ts'
import { coalesce } from '../../db/coalesce.ts'
import { isDatabaseUnavailable, type Queryable, type Sql, type Transaction } from '../../db/pool.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { auditStore } from './audit.store.ts'
import type { Audit, AuditEvent, BrokenGuard, Entry, Guard } from './audit.ts'
import { withoutReceipt } from './receipt-events.ts'

const entriesMax = 256
// One of an organization: what arrives meanwhile makes the next batch larger, and a larger batch is cheaper for everybody (10 % more
// signatures per second than with two).
const batchesInFlightMax = 4

/** `receipt_known`: the number of the event's receipt was reported as lost before; `unrecorded`: the database does not take its event. */
type Answer = BrokenGuard | 'attempt_lost' | 'receipt_known' | 'unrecorded' | undefined

/** The writer's parts; `uncounted` has the events that the database could not even count, by organization. */
type Writer = {
  sql: Sql
  attempts: Pick<Attempts, 'current'>
  ids: Ids
  log: Log
  enqueue: (entry: Entry) => Promise<Answer>
  uncounted: Map<string, number>
}

/**
 * The group-committed audit log: events of concurrent requests become one insert, and each request waits for its batch.
 * An event that the database refuses is counted there and reported by the organization's next `audit.gap` event.
 */
export function auditWriter({
  sql,
  ids,
  log,
  attempts = { current: () => undefined },
}: {
  sql: Sql
  ids: Ids
  log: Log
  attempts?: Pick<Attempts, 'current'>
}): Audit {
  const enqueue = coalesce<Entry, Answer>({
    run: (entries) => commitAll(writer, entries),
    batchMax: entriesMax,
    inFlightMax: batchesInFlightMax,
    laneOf: ({ event }) => event.organizationId,
  })
  const writer: Writer = { sql, ids, log, attempts, enqueue, uncounted: new Map() }
  return {
    append: (tx, event) => append(writer, tx, event),
    appendIf: (tx, event, guard) => appendIf(writer, tx, event, guard),
    write: (event) => write(writer, event),
    async release(event, guard) {
      const broken = await enqueue({ ...entryOf(writer, event), guard })
      // This process seemed dead: another one has the key, or the receipt's number was given up. Nothing may leave.
      if (broken === 'attempt_lost' || broken === 'receipt_known') throw new ApiError('unavailable')
      if (broken === 'unrecorded') throw new ApiError('internal')
      return broken
    },
    reportGap: (organizationId, missed) => reportGap(writer, organizationId, missed),
  }
}

/** An event that is committed in a batch, with the attempt that it belongs to. */
function entryOf({ ids, attempts }: Writer, event: AuditEvent): Entry {
  // A lost number says nothing of the request that lost it.
  const attempt = event.type === 'receipt.voided' ? undefined : attempts.current()
  return { id: ids.next(), event, ...(attempt && { attempt: { ...attempt, hasSucceeded: event.success } }) }
}

/** The caller's transaction is a success of its attempt. */
function noteSuccess({ attempts }: Writer, { success }: AuditEvent): void {
  const attempt = attempts.current()
  if (success && attempt !== undefined) attempt.hasSucceeded = true
}

async function commitAll(writer: Writer, entries: Entry[]): Promise<Answer[]> {
  try {
    return await commit(writer, entries)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw new ApiError('unavailable', { cause: error })
    // One bad event must not take its neighbours along.
    const answers: Answer[] = []
    for (const entry of entries) answers.push(await commitAlone(writer, entry))
    return answers
  }
}

async function commitAlone(writer: Writer, entry: Entry): Promise<Answer> {
  try {
    return (await commit(writer, [entry]))[0]
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw new ApiError('unavailable', { cause: error })
    const broken = await countRefused(writer, writer.sql, entry, error)
    // A receipt is stored with its event, or its signature does not leave.
    return entry.event.receipt === undefined ? broken : 'unrecorded'
  }
}

/** Counts an event that the database does not take, so that the next gap event reports it. */
function countRefused({ log }: Writer, sql: Queryable, entry: Entry, error: unknown) {
  log.error({ err: error, eventType: entry.event.type }, 'an audit event could not be written')
  return auditStore.countMissed(sql, entry)
}

async function commit(writer: Writer, entries: Entry[]): Promise<Answer[]> {
  const answers: Answer[] = entries.map(() => undefined)
  // Positions in `entries` of what is sent: gap events drop out, refused ones are rewritten.
  let sent = entries.map((entry, position) => ({ entry, position }))
  while (sent.length > 0) {
    const { broken, owing } = await auditStore.commit(
      writer.sql,
      sent.map(({ entry }) => entry),
    )
    for (const { organizationId, missed } of owing) reportGap(writer, organizationId, missed)
    if (broken.size === 0) break
    const reported = new Set<number>()
    for (const [i, reason] of broken) {
      const at = sent[i]
      if (at === undefined) continue
      if (reason === 'gap_told') reported.add(i)
      else if (reason === 'attempt_lost' || reason === 'receipt_known') {
        answers[at.position] = reason
        reported.add(i)
      } else {
        answers[at.position] = reason
        sent[i] = { entry: refused(at.entry, reason), position: at.position }
      }
    }
    sent = sent.filter((_, i) => !reported.has(i))
  }
  return answers
}

function reportGap({ ids, log, enqueue }: Writer, organizationId: string, missed: number): void {
  const event: AuditEvent = {
    organizationId,
    type: 'audit.gap',
    actorType: 'system',
    actorId: 'audit',
    payload: { missed },
    success: true,
  }
  // Another process may report the same gap: the guard on the count lets exactly one of them through.
  enqueue({ id: ids.next(), event, missedReported: missed }).catch((error: unknown) =>
    log.warn({ err: error }, 'a gap in the audit log stays unreported until the next event'),
  )
}

async function append(writer: Writer, tx: Transaction, event: AuditEvent): Promise<void> {
  noteSuccess(writer, event)
  const entry = { id: writer.ids.next(), event }
  try {
    // A failed statement would end the caller's transaction: the savepoint keeps the change it made.
    await tx.savepoint((inner) => auditStore.commit(inner, [entry]))
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    await countRefused(writer, tx, entry, error)
  }
}

async function appendIf(
  writer: Writer,
  tx: Transaction,
  event: AuditEvent,
  guard: Guard,
): Promise<BrokenGuard | undefined> {
  noteSuccess(writer, event)
  const entry = { id: writer.ids.next(), event, guard }
  try {
    const { broken } = await tx.savepoint((inner) => auditStore.commit(inner, [entry]))
    return broken.get(0) as BrokenGuard | undefined
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw new ApiError('unavailable', { cause: error })
    return countRefused(writer, tx, entry, error)
  }
}

async function write(writer: Writer, event: AuditEvent): Promise<void> {
  try {
    await writer.enqueue(entryOf(writer, event))
    if (writer.uncounted.size > 0) await countLater(writer)
  } catch (error) {
    remember(writer, event.organizationId, 1)
    const message = 'the database is out of reach: an audit event is missed'
    writer.log.error({ err: error, eventType: event.type }, message)
  }
}

function remember({ uncounted }: Writer, organizationId: string, missed: number): void {
  uncounted.set(organizationId, (uncounted.get(organizationId) ?? 0) + missed)
}

async function countLater(writer: Writer): Promise<void> {
  for (const [organizationId, missed] of [...writer.uncounted]) {
    writer.uncounted.delete(organizationId)
    try {
      await auditStore.addMissed(writer.sql, organizationId, missed)
    } catch {
      // The database is away again: what was written stays written, and the rest is still owed.
      remember(writer, organizationId, missed)
    }
  }
}

/** The same event as the log must show it once its guard broke. */
function refused(entry: Entry, reason: BrokenGuard): Entry {
  const type = entry.event.type === 'wallet.signed' ? 'wallet.sign_refused' : entry.event.type
  return {
    id: entry.id,
    event: { ...withoutReceipt(entry.event), type, success: false, errorCode: reason },
  }
}
