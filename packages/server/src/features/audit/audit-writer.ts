import { ApiError } from '@symbolon/api'
import { coalesce } from '../../db/coalesce.ts'
import { isDatabaseUnavailable, type Sql } from '../../db/pool.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { auditStore } from './audit.store.ts'
import type { Audit, AuditEvent, BrokenGuard, Entry } from './audit.ts'

const entriesMax = 256
// One: what arrives meanwhile makes the next batch larger, and a larger batch is cheaper for everybody (10 % more signatures
// per second than with two).
const batchesInFlightMax = 1

/**
 * The group-committed audit log: events of concurrent requests become one insert, and each request waits for its batch.
 * An event that the database refuses is counted there and told by the organization's next `audit.gap` event.
 */
export function auditWriter({ sql, ids, log }: { sql: Sql; ids: Ids; log: Log }): Audit {
  const enqueue = coalesce<Entry, BrokenGuard | undefined>({
    run: commitAll,
    batchMax: entriesMax,
    inFlightMax: batchesInFlightMax,
  })

  async function commitAll(entries: Entry[]): Promise<(BrokenGuard | undefined)[]> {
    try {
      return await commit(entries)
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw new ApiError('unavailable', { cause: error })
      // One bad event must not take its neighbours along.
      const answers: (BrokenGuard | undefined)[] = []
      for (const entry of entries) answers.push(await commitAlone(entry))
      return answers
    }
  }

  async function commitAlone(entry: Entry): Promise<BrokenGuard | undefined> {
    try {
      return (await commit([entry]))[0]
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw new ApiError('unavailable', { cause: error })
      log.error({ err: error, eventType: entry.event.type }, 'an audit event could not be written')
      return auditStore.countMissed(sql, entry)
    }
  }

  async function commit(entries: Entry[]): Promise<(BrokenGuard | undefined)[]> {
    const answers: (BrokenGuard | undefined)[] = entries.map(() => undefined)
    // Positions of the caller's entries in what is sent: gap events drop out, refused ones are rewritten.
    let sent = entries.map((entry, position) => ({ entry, position }))
    while (sent.length > 0) {
      const { broken, owing } = await auditStore.commit(
        sql,
        sent.map(({ entry }) => entry),
      )
      for (const { organizationId, missed } of owing) tellGap(organizationId, missed)
      if (broken.size === 0) break
      const told = new Set<number>()
      for (const [i, reason] of broken) {
        const at = sent[i]
        if (at === undefined) continue
        if (reason === 'gap_told') told.add(i)
        else {
          answers[at.position] = reason
          sent[i] = { entry: refused(at.entry, reason), position: at.position }
        }
      }
      sent = sent.filter((_, i) => !told.has(i))
    }
    return answers
  }

  function tellGap(organizationId: string, missed: number) {
    const event: AuditEvent = {
      organizationId,
      type: 'audit.gap',
      actorType: 'system',
      actorId: 'audit',
      payload: { missed },
      success: true,
    }
    // Another process may tell the same gap: the guard on the count lets exactly one of them through.
    enqueue({ id: ids.next(), event, missedTold: missed }).catch((error: unknown) =>
      log.warn({ err: error }, 'a gap in the audit log stays untold until the next event'),
    )
  }

  /** Events that could not even be counted in the database, by organization, until it is back. */
  const uncounted = new Map<string, number>()

  const remember = (organizationId: string, missed: number) =>
    uncounted.set(organizationId, (uncounted.get(organizationId) ?? 0) + missed)

  async function countLater() {
    for (const [organizationId, missed] of [...uncounted]) {
      uncounted.delete(organizationId)
      try {
        await auditStore.addMissed(sql, organizationId, missed)
      } catch {
        // Gone again: what was written meanwhile stays written, what is owed stays owed.
        remember(organizationId, missed)
      }
    }
  }

  return {
    async append(tx, event) {
      const entry = { id: ids.next(), event }
      try {
        // A failed statement would end the caller's transaction: the savepoint keeps the change it made.
        await tx.savepoint((inner) => auditStore.commit(inner, [entry]))
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        log.error({ err: error, eventType: event.type }, 'an audit event could not be written')
        await auditStore.countMissed(tx, entry)
      }
    },
    async appendIf(tx, event, guard) {
      const entry = { id: ids.next(), event, guard }
      try {
        const { broken } = await tx.savepoint((inner) => auditStore.commit(inner, [entry]))
        return broken.get(0) as BrokenGuard | undefined
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw new ApiError('unavailable', { cause: error })
        log.error({ err: error, eventType: event.type }, 'an audit event could not be written')
        return auditStore.countMissed(tx, entry)
      }
    },
    async write(event) {
      try {
        await enqueue({ id: ids.next(), event })
        if (uncounted.size > 0) await countLater()
      } catch (error) {
        remember(event.organizationId, 1)
        log.error(
          { err: error, eventType: event.type },
          'the database is out of reach: an audit event is missed',
        )
      }
    },
    release: (event, guard) => enqueue({ id: ids.next(), event, guard }),
    tellGap,
  }
}

/** The same attempt as the log must show it once its guard broke. */
function refused(entry: Entry, reason: BrokenGuard): Entry {
  const type = entry.event.type === 'wallet.signed' ? 'wallet.sign_refused' : entry.event.type
  return { id: entry.id, event: { ...entry.event, type, success: false, errorCode: reason } }
}
