import { canonicalJson } from '@symbolon/crypto/attestation'
import type { AuditFindingCode } from './audit-finding.ts'

/** A parsed line of an export. `at` is ISO 8601 with milliseconds, so that times compare as text. */
export type AuditLine =
  | { readonly kind: 'event'; readonly id: string; readonly at: string; readonly organizationId: string }
  | { readonly kind: 'checkpoint'; readonly checkpoint: unknown }
  | { readonly kind: 'broken'; readonly code: AuditFindingCode }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a line, without its line feed. */
export function readAuditLine(bytes: Uint8Array): AuditLine {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return broken('not_utf8')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return broken('not_json')
  }
  if (!isCanonical(text, value)) return broken('not_canonical')
  if (!isObject(value)) return broken('not_an_event')
  if (Object.keys(value).join() === 'checkpoint')
    return { kind: 'checkpoint', checkpoint: value['checkpoint'] }
  if (!isEvent(value)) return broken('not_an_event')
  return { kind: 'event', id: value.id, at: value.timestamp, organizationId: value.organization_id }
}

const broken = (code: AuditFindingCode): AuditLine => ({ kind: 'broken', code })

function isCanonical(text: string, value: unknown): boolean {
  try {
    return canonicalJson(value) === text
  } catch {
    // A lone surrogate, or deeper than the stack.
    return false
  }
}

type Event = { id: string; timestamp: string; organization_id: string }

/** Whether it has the fields that the platform's events have; further ones are for later versions of it to add. */
function isEvent(value: Record<string, unknown>): value is Event {
  return (
    isId(value['id']) &&
    isTimestamp(value['timestamp']) &&
    isId(value['organization_id']) &&
    (value['user_identity_id'] === '' || isId(value['user_identity_id'])) &&
    (value['wallet_id'] === '' || isId(value['wallet_id'])) &&
    ['actor_type', 'actor_id', 'event_type', 'error_code'].every((name) => typeof value[name] === 'string') &&
    isObject(value['payload']) &&
    typeof value['success'] === 'boolean'
  )
}

/** Whether it is a UUID in lower case. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
}

/** Whether it is a time as the API writes it: ISO 8601, UTC, milliseconds. */
export function isTimestamp(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false
  return Number.isFinite(Date.parse(value))
}

/** Whether it is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
