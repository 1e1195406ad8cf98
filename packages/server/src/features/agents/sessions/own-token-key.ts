import { createHmac, type KeyObject } from 'node:crypto'

/**
 * The token key (32 bytes) of the session that an agent has for its own runs. It has no token, so its key is derived from the pepper and the
 * session's id (a canonical UUID).
 */
export function ownTokenKey(pepper: KeyObject, sessionId: string): Uint8Array {
  return createHmac('sha256', pepper)
    .update('symbolon agent own session v1')
    .update(Buffer.from(sessionId.replaceAll('-', ''), 'hex'))
    .digest()
}
