import type { Hex } from '@symbolon/networks/evm'
import type { Queryable } from '../../db/pool.ts'
import { operationFromJson, type UnsignedOperation } from './operation-json.ts'

/** One submission of an operation to its bundler. Its outcome counts only while no newer one has begun. */
export type Submission = {
  id: string
  attemptId: string
  chain: string
  hash: Hex
  operation: UnsignedOperation
  signature: Hex
}

const secondsMax = 60

/** The statements around a submission: its claim, and how it went. */
export const submissionsStore = {
  /** Claims the next submission of an operation that is due for one and not confirmed, for `leaseMs` or until the process `holder` is dead. */
  async claim(
    sql: Queryable,
    id: string,
    { leaseMs, holder }: { leaseMs: number; holder: string },
  ): Promise<Submission | undefined> {
    const rows = await sql<(Omit<Submission, 'operation'> & { operation: Record<string, Hex> })[]>`
      with clock as materialized (select app_now() as now)
      update user_operations set attempt_id = gen_random_uuid(), sends = sends + 1,
        next_send_at = now + ${leaseMs} * interval '1 millisecond', held_by = ${holder}
      from clock where id = ${id} and state in ('sending', 'sent') and next_send_at <= now
      returning id, attempt_id as "attemptId", chain, hash, operation, signature`
    const row = rows[0]
    return row && { ...row, operation: operationFromJson(row.operation) }
  },

  /** The bundler has it. A mempool can be lost, so it is sent again after `seconds`, which double with every submission. */
  async accepted(sql: Queryable, { id, attemptId }: Submission, seconds: number): Promise<boolean> {
    const rows = await sql`
      update user_operations set state = 'sent', held_by = null,
        next_send_at = app_now() + least(${seconds} * 2 ^ least(sends - 1, 10), ${4 * seconds}) * interval '1 second'
      where id = ${id} and attempt_id = ${attemptId} and state in ('sending', 'sent') returning 1`
    return rows.length === 1
  },

  /** Nobody knows whether the bundler has it: the same operation is sent again soon. */
  async unknown(sql: Queryable, { id, attemptId }: Submission): Promise<void> {
    await sql`
      update user_operations set held_by = null,
        next_send_at = app_now() + least(2 ^ least(sends - 1, 10), ${secondsMax}) * interval '1 second'
      where id = ${id} and attempt_id = ${attemptId} and state in ('sending', 'sent')`
  },

  /** The bundler refused an operation that it had never accepted: its reservation ends. It is followed all the same. */
  async rejected(sql: Queryable, { id, attemptId }: Submission, reason: string): Promise<boolean> {
    const rows = await sql`
      update user_operations set state = 'rejected', reason = ${reason}, held_by = null
      where id = ${id} and attempt_id = ${attemptId} and state = 'sending' returning 1`
    return rows.length === 1
  },

  /** The first submission surely reached nobody: the operation can be submitted again. */
  async unsent(sql: Queryable, { id, attemptId }: Submission): Promise<boolean> {
    const rows = await sql`
      update user_operations set state = 'built', signature = null, submitted_at = null, is_followed = false,
        attempt_id = null, sends = 0, next_send_at = null, held_by = null
      where id = ${id} and attempt_id = ${attemptId} and state = 'sending' and sends = 1 returning 1`
    return rows.length === 1
  },
}
