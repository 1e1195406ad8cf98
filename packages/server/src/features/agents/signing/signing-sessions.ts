import { coalesce } from '../../../db/coalesce.ts'
import type { Sql } from '../../../db/pool.ts'
import { lruMap } from '../../../runtime/lru-map.ts'
import { type SigningSession, signingSessionsStore } from './signing-sessions.store.ts'

/** The sessions that sign, cached. */
export type SigningSessions = {
  /** The session, possibly as it was a moment ago: every decision checks at its commit what it was evaluated under. */
  load(id: string): Promise<SigningSession | undefined>
  /** The session as it is now. */
  loadFresh(id: string): Promise<SigningSession | undefined>
}

// A grant and the layers' text are a few kB each.
const rememberedMax = 10_000

/** Makes the cache, bounded, of this process. */
export function signingSessions(sql: Sql): SigningSessions {
  const remembered = lruMap<string, SigningSession>(rememberedMax)

  const read = coalesce<string, SigningSession | undefined>({
    run: (ids) => signingSessionsStore.byIds(sql, ids),
    batchMax: 500,
    inFlightMax: 2,
  })

  async function loadFresh(id: string) {
    const session = await read(id)
    // A revoked session never signs again.
    if (session === undefined || session.grant === null) remembered.delete(id)
    else remembered.set(id, session)
    return session
  }

  return { load: async (id) => remembered.get(id) ?? loadFresh(id), loadFresh }
}
