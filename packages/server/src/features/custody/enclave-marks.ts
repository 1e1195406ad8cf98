import type { Queryable, Sql } from '../../db/pool.ts'
import { type Enclave, EnclaveError, type LoadMarks } from '../../ports/enclave.ts'
import type { Log } from '../../ports/log.ts'
import { type Poller, poller } from '../../runtime/poller.ts'
import { enclaveMarksStore } from './enclave-marks.store.ts'

/** The database that keeps the marks, and the enclave whose they are. */
export type EnclaveMarksCtx = { sql: Sql; enclave: Pick<Enclave, 'takeMarks' | 'status'> }

// What a host that sets the database back can win is what was signed since (docs/decisions/0038-sealed-marks.md).
const periodMs = 5_000
const segmentsAtOnce = 16

/** Stores what the enclave saw and signed, every five seconds, where there is something new. */
export const enclaveMarksJob = (ctx: EnclaveMarksCtx, log: Log): Poller =>
  poller({
    periodMs,
    pass: async () => {
      const { hasUnstoredMarks } = await ctx.enclave.status()
      if (!hasUnstoredMarks) return
      await ctx.sql.begin(async (tx) => {
        const ringId = await enclaveMarksStore.lock(tx)
        if (ringId !== undefined) await storeMarks(tx, ctx.enclave, ringId)
      })
    },
    onError: (error) => {
      // The outage itself is logged where the enclave is watched.
      if (!(error instanceof EnclaveError && error.code === 'unavailable'))
        log.warn({ err: error }, 'the marks of the enclave were not stored')
    },
  })

/** Stores the marks that the database lacks: they are in it once the transaction is, which has locked them. Rejects where the enclave is out of reach. */
export async function storeMarks(
  tx: Queryable,
  enclave: Pick<Enclave, 'takeMarks'>,
  ringId: string,
): Promise<void> {
  let stored = await enclaveMarksStore.newest(tx, ringId)
  for (;;) {
    const segment = await enclave.takeMarks(stored)
    if (segment === undefined) return
    await enclaveMarksStore.add(tx, ringId, segment)
    if (segment.isComplete) return
    stored = segment.number
  }
}

/** Brings an enclave that has just started the marks in the database, unless another process has done it meanwhile. */
export const loadMarks =
  (sql: Sql): LoadMarks =>
  (enclave) =>
    sql.begin(async (tx) => {
      const ringId = await enclaveMarksStore.lock(tx)
      if (ringId === undefined || !(await enclave.isLoading())) return
      let number = 0
      let isFirst = true
      for (;;) {
        const segments = await enclaveMarksStore.after(tx, { ringId, number, limit: segmentsAtOnce })
        for (const segment of segments) {
          await enclave.load({ isFirst, isLast: false, segment })
          number = segment.number
          isFirst = false
        }
        if (segments.length < segmentsAtOnce) break
      }
      await enclave.load({ isFirst, isLast: true, segment: undefined })
    })
