import type { Sql } from '../../db/pool.ts'
import { type Enclave, EnclaveError } from '../../ports/enclave.ts'
import type { Log } from '../../ports/log.ts'
import { type Poller, poller, wokenPeriodMs } from '../../runtime/poller.ts'
import { enclaveMarksStore } from './enclave-marks.store.ts'
import { storeMarks } from './enclave-marks.ts'
import { enclaveNotesStore } from './enclave-notes.store.ts'

/** The database that has the notes, and the enclave they are for. */
export type EnclaveNotesCtx = { sql: Sql; enclave: Pick<Enclave, 'note' | 'takeMarks' | 'status'> }

const batchMax = 100

/** Tells the enclave what it has yet to be told, whenever the heartbeat finds something. */
export const enclaveNotesJob = (ctx: EnclaveNotesCtx, log: Log): Poller =>
  poller({
    periodMs: wokenPeriodMs,
    pass: () => tellEnclave(ctx),
    onError: (error) => {
      // The outage itself is logged where the enclave is watched.
      if (!(error instanceof EnclaveError && error.code === 'unavailable'))
        log.warn({ err: error }, 'the enclave could not be told what was revoked')
    },
  })

/**
 * Tells the enclave which sessions were revoked, which wallets archived, and which rules and policies changed, oldest first, and returns how many there were. What it
 * was not told stays for the next pass, of any process. Throws where the enclave or the database is out of reach.
 */
export async function tellEnclave({ sql, enclave }: EnclaveNotesCtx): Promise<number> {
  // Connects first: nobody waits with the lock for an enclave that is away, or that needs the lock to load its marks.
  await enclave.status()
  for (let all = 0; ; ) {
    const told = await sql.begin(async (tx) => {
      // Locked before the notes are sent: no other boot can start serving until they are stored.
      const ringId = await enclaveMarksStore.lock(tx)
      const notes = await enclaveNotesStore.lockOldest(tx, batchMax)
      if (ringId === undefined || notes.length === 0) return 0
      await Promise.all(notes.map((note) => enclave.note(note)))
      // A note is done only once it survives a restart of the enclave.
      await storeMarks(tx, enclave, ringId)
      await enclaveNotesStore.remove(
        tx,
        notes.map(({ noteId }) => noteId),
      )
      return notes.length
    })
    all += told
    if (told < batchMax) return all
  }
}

/**
 * `tellEnclave` before the answer that revokes or archives; an enclave that is out of reach does not delay that answer further: the database
 * refuses already, and the job tells it.
 */
export async function tellEnclaveNow(ctx: EnclaveNotesCtx): Promise<void> {
  await tellEnclave(ctx).catch(() => {})
}
