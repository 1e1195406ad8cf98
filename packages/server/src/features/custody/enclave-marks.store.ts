import type { MarkSegment } from '@symbolon/crypto/node'
import type { Queryable } from '../../db/pool.ts'

type Row = Pick<MarkSegment, 'previousRoot' | 'root' | 'sealed'> & { number: string; keepFrom: string }

/** The statements of the freshness marks that the enclave keeps in the database. */
export const enclaveMarksStore = {
  /**
   * Locks the marks of the installation's ring until the transaction ends, and returns the ring's id; undefined where there is none. Waits at most 2 s
   * for somebody who has them: then it rejects.
   */
  async lock(tx: Queryable): Promise<string | undefined> {
    await tx`set local lock_timeout = '2s'`
    const [ring] = await tx<{ id: string }[]>`select id from enclave_rings for no key update`
    return ring?.id
  },

  /** The number of the newest segment; 0 where there is none. */
  async newest(tx: Queryable, ringId: string): Promise<number> {
    const [row] = await tx<{ number: string }[]>`
      select max(number)::text as number from enclave_marks where ring_id = ${ringId}`
    return Number(row?.number ?? 0)
  },

  /** The segments after a number, oldest first. */
  async after(
    tx: Queryable,
    { ringId, number, limit }: { ringId: string; number: number; limit: number },
  ): Promise<MarkSegment[]> {
    const rows = await tx<Row[]>`
      select number::text, keep_from::text as "keepFrom", previous_root as "previousRoot", root, sealed
      from enclave_marks where ring_id = ${ringId} and number > ${number} order by number limit ${limit}`
    return rows.map(({ number: found, keepFrom, ...bytes }) => ({
      ...bytes,
      number: Number(found),
      keepFrom: Number(keepFrom),
      isComplete: true,
    }))
  },

  /** Adds a segment and drops those that it makes useless. */
  async add(tx: Queryable, ringId: string, segment: MarkSegment): Promise<void> {
    const { number, keepFrom, previousRoot, root, sealed } = segment
    await tx`
      insert into enclave_marks (ring_id, number, keep_from, previous_root, root, sealed)
      values (${ringId}, ${number}, ${keepFrom}, ${previousRoot}, ${root}, ${sealed})`
    await tx`delete from enclave_marks where ring_id = ${ringId} and number < ${keepFrom}`
  },
}
