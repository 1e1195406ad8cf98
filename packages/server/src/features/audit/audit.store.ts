import type { Attempt } from '../../db/attempts.ts'
import { batchArguments } from '../../db/batch-arguments.ts'
import type { Queryable } from '../../db/pool.ts'
import type { Statement } from '../../db/statement.ts'
import { type End, rowsOfWhole } from '../../db/sure-rows.ts'
import type { BrokenGuard, Entry, NumberedReceipt } from './audit.ts'
import { auditBatch, type Place, type Sum } from './audit-batch.ts'

/** What a commit returned. */
export type CommitResult = {
  /** Guards that did not hold, by position. Anything in here means that nothing was written. */
  broken: Map<number, BrokenGuard | 'gap_told' | 'attempt_lost' | 'receipt_known'>
  /** Organizations whose missed events no gap event has reported yet. */
  owing: { organizationId: string; missed: number }[]
}

/** A row of `commit_events`: a broken guard's position, or -1 for an organization that owes a gap event. */
export type CommitRow = { i: number; reason: string } & End

/** The audit tables' statements. */
export const auditStore = {
  /** Writes all entries with dense ranks, or none. One round trip. */
  commit: (sql: Queryable, entries: readonly Entry[]): Promise<CommitResult> => commit(sql, entries, entries),

  /** Counts an event that could not be written, and returns the guard that does not hold, if any. */
  async countMissed(sql: Queryable, entry: Entry): Promise<BrokenGuard | undefined> {
    await auditStore.addMissed(sql, entry.event.organizationId, 1)
    const { broken } = await commit(sql, [], [entry])
    return broken.get(0) as BrokenGuard | undefined
  },

  /** Counts events that were missed. */
  async addMissed(sql: Queryable, organizationId: string, missed: number): Promise<void> {
    await sql`
      update organization_counters set events_missed = events_missed + ${missed}
      where organization_id = ${organizationId}`
  },
}

/** A batch for `commit_events`: it writes `entries` if the guards of `guarded` hold. */
export function eventArguments(
  sql: Queryable,
  entries: readonly Entry[],
  guarded: readonly Entry[],
): Statement<unknown> {
  const { organizations, sums, places } = auditBatch(entries)
  const batch: Batch = {
    organizations,
    sums,
    events: entries.map((entry, i) => ({ ...entry, place: places[i] as Place })),
    wallets: [],
    keys: [],
    tokens: [],
    gaps: [],
    attempts: [],
    receipts: entries.flatMap(({ event: { receipt } }, position) =>
      receipt === undefined ? [] : [{ ...receipt, position, organization: places[position]?.organization }],
    ),
  }
  for (const [position, { event, guard, missedReported, attempt }] of guarded.entries()) {
    const { organizationId } = event
    if (guard?.walletId !== undefined) batch.wallets.push({ position, id: guard.walletId })
    if (guard?.apiKeyId !== undefined) batch.keys.push({ position, id: guard.apiKeyId })
    if (guard?.token !== undefined) batch.tokens.push({ position, organizationId, ...guard.token })
    if (attempt !== undefined)
      batch.attempts.push({ position: guard === undefined ? null : position, ...attempt })
    if (missedReported !== undefined) batch.gaps.push({ position, organizationId, missed: missedReported })
  }
  return writtenBatch(sql, batch)
}

type Batch = {
  organizations: string[]
  sums: Sum[]
  events: (Entry & { place: Place })[]
  wallets: { position: number; id: string }[]
  keys: { position: number; id: string }[]
  tokens: { position: number; organizationId: string; hash: string; expiresAt: string }[]
  gaps: { position: number; organizationId: string; missed: number }[]
  /** With a position, a lost attempt breaks the batch: nothing of what is guarded may leave. */
  attempts: (Attempt & { position: number | null })[]
  receipts: (NumberedReceipt & { position: number; organization: number | undefined })[]
}

const writtenBatch = batchArguments<Batch>({
  organizations: { organizations: ['uuid[]', (id) => id] },
  sums: {
    sum_organization: ['integer[]', ({ organization }) => organization],
    sum_type: ['integer[]', ({ type }) => type],
    sum_success: ['boolean[]', ({ success }) => success],
    sum_count: ['bigint[]', ({ count }) => count],
  },
  events: {
    event_organization: ['integer[]', ({ place }) => place.organization],
    event_rank: ['bigint[]', ({ place }) => place.rank],
    event_rank_type: ['bigint[]', ({ place }) => place.rankType],
    event_rank_success: ['bigint[]', ({ place }) => place.rankSuccess],
    event_rank_type_success: ['bigint[]', ({ place }) => place.rankTypeSuccess],
    event_type: ['smallint[]', ({ place }) => place.type],
    event_success: ['boolean[]', ({ event }) => event.success],
    event_id: ['uuid[]', ({ id }) => id],
    event_identity: ['uuid[]', ({ event }) => event.userIdentityId],
    event_wallet: ['uuid[]', ({ event }) => event.walletId],
    event_actor_type: ['text[]', ({ event }) => event.actorType],
    event_actor_id: ['text[]', ({ event }) => event.actorId],
    event_payload: [
      'text[]',
      ({ event }) => (event.payload === undefined ? '{}' : JSON.stringify(event.payload)),
    ],
    event_error_code: ['text[]', ({ event }) => event.errorCode ?? ''],
  },
  wallets: {
    guard_wallet_position: ['integer[]', ({ position }) => position],
    guard_wallet: ['uuid[]', ({ id }) => id],
  },
  keys: {
    guard_key_position: ['integer[]', ({ position }) => position],
    guard_key: ['uuid[]', ({ id }) => id],
  },
  tokens: {
    guard_token_position: ['integer[]', ({ position }) => position],
    guard_token_organization: ['uuid[]', ({ organizationId }) => organizationId],
    guard_token: ['bytea[]', ({ hash }) => hash],
    guard_token_expiry: ['timestamptz[]', ({ expiresAt }) => expiresAt],
  },
  gaps: {
    guard_gap_position: ['integer[]', ({ position }) => position],
    guard_gap_organization: ['uuid[]', ({ organizationId }) => organizationId],
    guard_gap: ['bigint[]', ({ missed }) => missed],
  },
  attempts: {
    attempt_position: ['integer[]', ({ position }) => position],
    attempt_scope: ['bytea[]', ({ scope }) => Buffer.from(scope).toString('hex')],
    attempt_key: ['text[]', ({ key }) => key],
    attempt: ['uuid[]', ({ attemptId }) => attemptId],
    attempt_success: ['boolean[]', ({ hasSucceeded = true }) => hasSucceeded],
  },
  receipts: {
    receipt_position: ['integer[]', ({ position }) => position],
    receipt_organization: ['integer[]', ({ organization }) => organization],
    receipt_kid: ['text[]', ({ kid }) => kid],
    receipt_counter: ['bigint[]', ({ counter }) => counter],
    receipt_id: ['uuid[]', ({ issued }) => issued?.receiptId],
    receipt_wallet: ['uuid[]', ({ issued }) => issued?.walletId],
    receipt_issued_at: ['timestamptz[]', ({ issued }) => issued?.issuedAt],
    receipt_jws: ['text[]', ({ issued }) => issued?.jws],
  },
})

async function commit(
  sql: Queryable,
  entries: readonly Entry[],
  guarded: readonly Entry[],
): Promise<CommitResult> {
  const { broken, owing } = readCommit(
    await sql<CommitRow[]>`
      select i, reason, null as "isEnd" from commit_events(${eventArguments(sql, entries, guarded)})
      union all select null, null, true`,
  )
  return { broken: broken as CommitResult['broken'], owing }
}

/** The outcomes in the rows of `commit_events`, or of a commit that ends with it. Throws where rows are missing. */
export function readCommit(rows: readonly CommitRow[]): {
  broken: Map<number, string>
  owing: CommitResult['owing']
} {
  const broken = new Map<number, string>()
  const owing: CommitResult['owing'] = []
  for (const { i, reason } of rowsOfWhole(rows)) {
    if (i >= 0) broken.set(i, reason)
    else {
      const [organizationId = '', missed = '0'] = reason.split(' ')
      owing.push({ organizationId, missed: Number(missed) })
    }
  }
  return { broken, owing }
}
