import type { Sql } from '../../db/pool.ts'
import type { Log } from '../../ports/log.ts'
import { type Poller, poller } from '../../runtime/poller.ts'
import type { Audit } from '../audit/index.ts'
import { enclaveMarksStore } from './enclave-marks.store.ts'

/** The database that keeps the marks, and the audit log that tells of them. */
export type TellMarksCtx = { sql: Sql; audit: Pick<Audit, 'append'> }

const periodMs = 60 * 60_000
const organizationsMax = 100

/** Tells the audit log of each organization once a day which marks the enclave has stored. */
export const tellMarksJob = (ctx: TellMarksCtx, log: Log): Poller =>
  poller({
    periodMs,
    pass: () => tellMarks(ctx),
    onError: (error) => log.warn({ err: error }, 'the audit logs were not told of the marks of the enclave'),
  })

/** One pass: an event with number and root for each organization that has had none for a day. Returns how many there were. */
export async function tellMarks({ sql, audit }: TellMarksCtx): Promise<number> {
  for (let all = 0; ; ) {
    const told = await sql.begin(async (tx) => {
      const untold = await enclaveMarksStore.takeUntold(tx, organizationsMax)
      for (const { organizationId, ringId, number, root } of untold)
        await audit.append(tx, {
          organizationId,
          type: 'enclave.marks_stored',
          actorType: 'system',
          actorId: 'marks',
          payload: { ring_id: ringId, number, root },
          success: true,
        })
      return untold.length
    })
    all += told
    if (told < organizationsMax) return all
  }
}
