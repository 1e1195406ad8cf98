import * as z from 'zod'
import { ApiKeys, MintApiKey, MintedApiKey, RotateApiKey } from '../api-key.ts'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'

const OrgParams = z.strictObject({ orgID: Id })
const KeyParams = z.strictObject({ orgID: Id, keyID: Id })

/** The company's keys. */
export const listApiKeys = {
  id: 'apiKeys.list',
  method: 'GET',
  path: '/v1/orgs/{orgID}/api-keys',
  lane: 'portal',
  role: 'viewer',
  summary: 'List API keys',
  description: 'All keys that work, and the newest 100 of those that were revoked or have expired.',
  params: OrgParams,
  status: 200,
  data: ApiKeys,
  errors: [],
  limit: 'portal-list',
  isLongAnswer: true,
} as const satisfies Route

/** A new key. */
export const mintApiKey = {
  id: 'apiKeys.mint',
  method: 'POST',
  path: '/v1/orgs/{orgID}/api-keys',
  lane: 'portal',
  role: 'developer',
  summary: 'Mint an API key',
  description:
    'The key is shown once and not stored. A company may have 100 keys of each type that work; one more is 403. Owners are notified by email.',
  params: OrgParams,
  body: MintApiKey,
  status: 201,
  data: MintedApiKey,
  errors: [],
  bearsCredential: true,
  limit: 'portal-change',
} as const satisfies Route

/** Ends a key. */
export const revokeApiKey = {
  id: 'apiKeys.revoke',
  method: 'DELETE',
  path: '/v1/orgs/{orgID}/api-keys/{keyID}',
  lane: 'portal',
  role: 'developer',
  summary: 'Revoke an API key',
  description: 'Takes effect at once, in every process. Revoking again changes nothing.',
  params: KeyParams,
  status: 204,
  errors: [],
} as const satisfies Route

/** Replaces a key. */
export const rotateApiKey = {
  id: 'apiKeys.rotate',
  method: 'POST',
  path: '/v1/orgs/{orgID}/api-keys/{keyID}/rotate',
  lane: 'portal',
  role: 'developer',
  summary: 'Replace an API key',
  description:
    'Creates a key with the same rights. The old key ends after `grace_seconds`, and counts among the 100 of its type until then. A revoked key returns 404.',
  params: KeyParams,
  body: RotateApiKey,
  status: 201,
  data: MintedApiKey,
  errors: [],
  bearsCredential: true,
  limit: 'portal-change',
} as const satisfies Route
