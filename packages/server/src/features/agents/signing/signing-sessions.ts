import { coalesce } from '../../../db/coalesce.ts'
import type { Sql } from '../../../db/pool.ts'
import { lruMap } from '../../../runtime/lru-map.ts'
import { type SigningSession, signingSessionsStore } from './signing-sessions.store.ts'

/** Where attempts get their sessions from. */
export type SigningSessions = {
  /** The session, possibly as it was a moment ago: every decision checks at its commit what it was judged under. */
  load(id: string): Promise<SigningSession | undefined>
  /** The session as it is now. */
  loadFresh(id: string): Promise<SigningSession | undefined>
}

// A grant and the layers' text: a few kB each.
const rememberedMax = 10_000

/** The sessions that sign often, remembered by this process up to a bound. */
export function signingSessions(sql: Sql): SigningSessions {
  const remembered = lruMap<string, SigningSession>(rememberedMax)

  const read = coalesce<string, SigningSession | undefined>({
    run: (ids) => signingSessionsStore.byIds(sql, ids),
    batchMax: 500,
    inFlightMax: 2,
  })

  async function loadFresh(id: string) {
    const session = await read(id)
    // One that was revoked never signs again: nothing of it is worth keeping.
    if (session === undefined || session.grant === null) remembered.delete(id)
    else remembered.set(id, session)
    return session
  }

  return { load: async (id) => remembered.get(id) ?? loadFresh(id), loadFresh }
}
