import type { Mark } from '@symbolon/crypto/node'
import type { Queryable } from '../../db/pool.ts'

/** Something that the enclave has yet to be told. */
export type EnclaveNote = Mark & { noteId: string; organizationId: string }

type Row = Omit<EnclaveNote, 'order' | 'endsAtMs'> & { order: string; endsAt: Date | null }

/** The statements of what the enclave has yet to be told. */
export const enclaveNotesStore = {
  /**
   * The oldest notes, at most `max`, locked until the transaction ends. Those that somebody else is about to tell are left out, or with `isWaiting`
   * waited for.
   */
  async lockOldest(tx: Queryable, max: number, isWaiting: boolean): Promise<EnclaveNote[]> {
    const rows = await tx<Row[]>`
      select id as "noteId", organization_id as "organizationId", kind, subject_id as id, coalesce(version, changed_at)::text as "order",
        ends_at as "endsAt"
      from enclave_notes order by changed_at, enclave_notes.id limit ${max} for update ${tx.unsafe(isWaiting ? '' : 'skip locked')}`
    return rows.map(({ order, endsAt, ...note }) => ({
      ...note,
      order: Number(order),
      endsAtMs: endsAt?.getTime() ?? null,
    }))
  },

  async remove(tx: Queryable, noteIds: readonly string[]): Promise<void> {
    await tx`delete from enclave_notes where id = any(${noteIds}::uuid[])`
  },
}
