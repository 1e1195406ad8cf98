import { type Connection, ConnectionError, type ServerState } from './connection.ts'
import type { Host, SessionDemand } from './database-url.ts'

const suits: Record<SessionDemand, (state: ServerState) => boolean> = {
  any: () => true,
  'read-write': ({ isReadOnly }) => !isReadOnly,
  'read-only': ({ isReadOnly }) => isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
  'prefer-standby': ({ isStandby }) => isStandby,
}

/**
 * Makes a way to open connections to the first of several hosts whose server suits (libpq's `target_session_attrs`). It begins with the
 * host that suited last, so that one that is gone is not waited for each time. Rejects with the last host's refusal, or with a
 * `ConnectionError` where servers answered and none suits.
 */
export function chooseHost(
  hosts: readonly Host[],
  demand: SessionDemand,
  open: (host: Host) => Promise<Connection>,
): () => Promise<Connection> {
  let last = 0

  async function first(isSuitable: (state: ServerState) => boolean): Promise<Connection> {
    let refusal: unknown = new ConnectionError('CONNECT_FAILED', `None of the databases is ${demand}.`)
    for (let tried = 0; tried < hosts.length; tried++) {
      const at = (last + tried) % hosts.length
      try {
        const connection = await open(hosts[at] as Host)
        if (isSuitable(connection.server)) {
          last = at
          return connection
        }
        void connection.close()
      } catch (error) {
        refusal = error
      }
    }
    throw refusal
  }

  return async () => {
    if (demand !== 'prefer-standby') return first(suits[demand])
    return first(suits[demand]).catch(() => first(suits.any))
  }
}
