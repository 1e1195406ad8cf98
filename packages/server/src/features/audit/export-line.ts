import type { ActorType, AuditEventType } from '@symbolon/api'
import type { RecordedEvent } from './audit-list.store.ts'

/** An event as the API answers it. Ids that an event has none of are empty texts (http-api.md: strings). */
export type WireEvent = {
  id: string
  timestamp: string
  organization_id: string
  user_identity_id: string
  wallet_id: string
  actor_type: ActorType
  actor_id: string
  event_type: AuditEventType
  payload: Record<string, unknown>
  success: boolean
  error_code: string
}

/** A recorded event in the words of the API. */
export function wireEvent(organizationId: string, event: RecordedEvent): WireEvent {
  return {
    id: event.id,
    timestamp: event.at.toISOString(),
    organization_id: organizationId,
    user_identity_id: event.userIdentityId ?? '',
    wallet_id: event.walletId ?? '',
    actor_type: event.actorType,
    actor_id: event.actorId,
    event_type: event.type,
    payload: event.payload,
    success: event.isSuccess,
    error_code: event.errorCode,
  }
}

/** The exact line an event is exported as, without its line feed: RFC 8785 JSON, and the leaf of the Merkle log. */
export const exportLine = (organizationId: string, event: RecordedEvent): string =>
  canonicalJson(wireEvent(organizationId, event))

/**
 * RFC 8785 (JSON Canonicalization Scheme): keys sorted by UTF-16 code units, no space. ECMAScript writes numbers and strings
 * the way it asks for, lone surrogates apart, which no JSON document of the database holds. The log's verifier uses the one of
 * `@symbolon/crypto` instead: the two check each other.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}
