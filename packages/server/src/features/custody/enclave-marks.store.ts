import type { MarkSegment } from '@symbolon/crypto/node'
import type { Queryable } from '../../db/pool.ts'

type Row = Pick<MarkSegment, 'previousRoot' | 'root' | 'sealed'> & { number: string; keepFrom: string }

/** The newest segment, for the audit log of an organization; `root` in lower-case hex. */
export type ToldMarks = { organizationId: string; ringId: string; number: number; root: string }

// Of all advisory locks, the one of who tells the audit logs.
const toldLock = 7_210_027

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

  /**
   * Takes organizations whose audit logs have had no marks for a day, at most `limit`, and returns them with the newest segment; none where there is no segment, or
   * another process is at it.
   */
  async takeUntold(tx: Queryable, limit: number): Promise<ToldMarks[]> {
    const [lock] = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${toldLock}) as mine`
    if (lock?.mine !== true) return []
    const rows = await tx<(Omit<ToldMarks, 'number'> & { number: string })[]>`
      with newest as (
        select m.ring_id, m.number, m.root from enclave_marks m join enclave_rings r on r.id = m.ring_id
        order by m.number desc limit 1),
      told as (
        insert into enclave_marks_told as t (organization_id, told_at)
        select o.id, app_now() from organizations o left join enclave_marks_told t on t.organization_id = o.id
        where exists (select from newest) and coalesce(t.told_at, o.created_at) <= app_now() - interval '1 day'
        order by o.id limit ${limit}
        on conflict (organization_id) do update set told_at = excluded.told_at
        returning organization_id)
      select t.organization_id as "organizationId", n.ring_id as "ringId", n.number::text, encode(n.root, 'hex') as root
      from told t, newest n`
    return rows.map(({ number, ...row }) => ({ ...row, number: Number(number) }))
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
