import type { ErrorCode } from './errors.ts'

/**
 * The credential a route asks for. `publishable`: publishable key; `wallet`: publishable key and end-user JWT;
 * `secret`: secret key; `publishable_or_secret`: either key; `agent`: agent token; `portal`: session cookie; `portal_or_secret`,
 * `secret_or_agent`: either of both; `agent_or_delegate`: an agent token, or what one agent gives another (`ac_live_`).
 */
export type Lane =
  | 'public'
  | 'publishable'
  | 'wallet'
  | 'secret'
  | 'publishable_or_secret'
  | 'agent'
  | 'portal'
  | 'portal_or_secret'
  | 'secret_or_agent'
  | 'agent_or_delegate'

type Codes = readonly ErrorCode[]

/** What every route of a lane can answer, beside its own errors; every call with a secret key counts against its rate. */
export const laneErrors = {
  public: [],
  publishable: ['unauthorized', 'origin_not_allowed', 'unavailable'],
  wallet: ['unauthorized', 'token_expired', 'token_revoked', 'origin_not_allowed', 'unavailable'],
  secret: ['unauthorized', 'ip_not_allowed', 'rate_limited', 'unavailable'],
  publishable_or_secret: [
    'unauthorized',
    'origin_not_allowed',
    'ip_not_allowed',
    'rate_limited',
    'unavailable',
  ],
  agent: ['unauthorized', 'token_expired', 'token_revoked', 'unavailable'],
  portal: ['unauthorized', 'unavailable'],
  portal_or_secret: ['unauthorized', 'ip_not_allowed', 'rate_limited', 'unavailable'],
  secret_or_agent: [
    'unauthorized',
    'token_expired',
    'token_revoked',
    'ip_not_allowed',
    'rate_limited',
    'unavailable',
  ],
  agent_or_delegate: ['unauthorized', 'token_expired', 'token_revoked', 'unavailable'],
} as const satisfies Record<Lane, Codes>

/** What a member of an organization may do, from least to most (decisions.md 2); each includes those before it. */
export const portalRoles = ['viewer', 'developer', 'admin', 'owner'] as const

/** A member's role. */
export type PortalRole = (typeof portalRoles)[number]

/** What every route of a method can answer. */
export const methodErrors = {
  GET: [],
  POST: ['invalid_request', 'payload_too_large', 'unsupported_media_type'],
  PUT: ['invalid_request', 'payload_too_large', 'unsupported_media_type'],
  PATCH: ['invalid_request', 'payload_too_large', 'unsupported_media_type'],
  DELETE: [],
} as const satisfies Record<string, Codes>

/** The methods a route can have. */
export type Method = keyof typeof methodErrors

/** The lanes whose POST routes take an `Idempotency-Key`. */
export const idempotentLanes = [
  'publishable',
  'wallet',
  'secret',
  'portal',
  'portal_or_secret',
  'secret_or_agent',
  'agent',
] as const satisfies readonly Lane[]

/** What a POST of an idempotent lane can answer about its key. */
export const idempotencyErrors = [
  'idempotency_key_in_flight',
  'idempotency_key_spent',
  'idempotency_key_reused',
] as const satisfies Codes
