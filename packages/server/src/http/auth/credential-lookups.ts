import { coalesce } from '../../db/coalesce.ts'
import type { Queryable } from '../../db/pool.ts'
import type { PortalPrincipal } from '../principal.ts'
import { apiKeysStore, type PublishableLookup, type PublishableRecord } from './api-keys.store.ts'
import { type FoundSession, findAgentSession } from './find-agent-session.ts'
import { type FoundKey, findSecretKey } from './find-secret-key.ts'
import { findPortalSession } from './portal-sessions.store.ts'

/** Finds the database's record of a credential; undefined when it is unknown or has ended. */
export type CredentialLookups = {
  publishableKey(key: string, userTokenHash?: string): Promise<PublishableRecord | undefined>
  /** `weight`: the units of its rate limit that the request costs. */
  secretKey(token: string, weight: number): Promise<FoundKey | undefined>
  /** Ended sessions are found too, with their state. */
  agentSession(token: string, weight: number): Promise<FoundSession | undefined>
  portalSession(token: string, organizationId: string | undefined): Promise<PortalPrincipal | undefined>
  /** Whether any organization lists the origin. */
  isOriginListed(origin: string): Promise<boolean>
}

/** The lookups, over tokens hashed by `hashToken`; one statement serves all requests of one kind and moment. */
export function credentialLookups(
  sql: Queryable,
  hashToken: (token: string) => Uint8Array,
): CredentialLookups {
  const findPublishableKey = coalesce<PublishableLookup, PublishableRecord | undefined>({
    run: (lookups) => apiKeysStore.findPublishable(sql, lookups),
    batchMax: 1_000,
    inFlightMax: 2,
  })
  const findKey = findSecretKey(sql)
  const findSession = findAgentSession(sql)
  const hashHex = (token: string) => Buffer.from(hashToken(token)).toString('hex')
  return {
    publishableKey: (key, userTokenHash) =>
      findPublishableKey({
        keyHash: hashHex(key),
        ...(userTokenHash !== undefined && { tokenHash: userTokenHash }),
      }),
    secretKey: (token, weight) => findKey({ hash: hashHex(token), weight }),
    agentSession: (token, weight) => findSession({ hash: hashHex(token), weight }),
    portalSession: (token, organizationId) => findPortalSession(sql, hashToken(token), organizationId),
    isOriginListed: (origin) => apiKeysStore.isOriginListed(sql, origin),
  }
}
