import type { Sql } from '../../db/pool.ts'
import type { Log } from '../../ports/log.ts'
import { type Poller, poller, wokenPeriodMs } from '../../runtime/poller.ts'
import { type Audit, receiptVoided } from '../audit/index.ts'
import { receiptsStore } from './receipts.store.ts'

/** What lost receipts are looked for with. */
export type LostReceiptsCtx = { sql: Sql; audit: Pick<Audit, 'write'> }

/** What one pass looks at: keys of organizations, and numbers of each. */
type Bounds = { keysMax: number; numbersMax: number; ageMs: number; roundsMax: number }

// A request ends long before; its receipt could still be stored until its number is reported.
const bounds: Bounds = { keysMax: 64, numbersMax: 1_000, ageMs: 60_000, roundsMax: 32 }

/**
 * Reports the numbers of receipts that a process took along when it died between the enclave's answer and the commit: `receipt.voided`, a
 * minute after a later number was stored. The heartbeat wakes it.
 */
export const lostReceiptsJob = (ctx: LostReceiptsCtx, log: Log): Poller =>
  poller({
    periodMs: wokenPeriodMs,
    pass: () => reportLostReceipts(ctx),
    onError: (error) => log.warn({ err: error }, 'numbers of receipts could not be checked'),
  })

/**
 * One pass, and how many numbers it reported. Several processes may look at once: the commit takes each number once. What is left over is
 * the next pass's.
 */
export async function reportLostReceipts(
  { sql, audit }: LostReceiptsCtx,
  given: Partial<Bounds> = {},
): Promise<number> {
  const { roundsMax, ...each } = { ...bounds, ...given }
  let reported = 0
  for (let round = 0; round < roundsMax; round++) {
    const { lost, isMore } = await receiptsStore.findLost(sql, each)
    await Promise.all(
      lost.map(({ organizationId, ...number }) => audit.write(receiptVoided(organizationId, number))),
    )
    reported += lost.length
    if (!isMore) break
  }
  return reported
}
