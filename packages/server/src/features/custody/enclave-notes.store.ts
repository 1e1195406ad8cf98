import type { Mark } from '@symbolon/crypto/node'
import type { Queryable } from '../../db/pool.ts'

/** Something that the enclave has yet to be told. */
export type EnclaveNote = Mark & { noteId: string; organizationId: string }

type Row = Omit<EnclaveNote, 'order' | 'endsAtMs'> & { order: string; endsAt: Date | null }

/** The statements of what the enclave has yet to be told. */
export const enclaveNotesStore = {
  /** The oldest notes, at most `max`, locked until the transaction ends. */
  async lockOldest(tx: Queryable, max: number): Promise<EnclaveNote[]> {
    const rows = await tx<Row[]>`
      select id as "noteId", organization_id as "organizationId", kind, subject_id as id, coalesce(version, changed_at)::text as "order",
        ends_at as "endsAt"
      from enclave_notes order by changed_at, enclave_notes.id limit ${max} for update`
    return rows.map(({ order, endsAt, ...note }) => ({
      ...note,
      // What somebody wrote into the rows must not stand in the way of the other notes.
      order: Math.min(Math.max(Number(order), 0), Number.MAX_SAFE_INTEGER),
      endsAtMs: timeOf(endsAt),
    }))
  },

  async remove(tx: Queryable, noteIds: readonly string[]): Promise<void> {
    await tx`delete from enclave_notes where id = any(${noteIds}::uuid[])`
  },
}

/** Milliseconds since 1970; null for never, and for what no date holds. */
function timeOf(date: Date | null): number | null {
  const ms = date === null ? Number.NaN : new Date(date).getTime()
  return Number.isFinite(ms) ? Math.max(ms, 0) : null
}
