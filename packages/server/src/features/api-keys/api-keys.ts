import type { AuditEventType } from '@symbolon/api'
import { mintToken } from '@symbolon/crypto'
import type { Queryable, Sql, Transaction } from '../../db/pool.ts'
import type { MemberPrincipal } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import type { Audit } from '../audit/index.ts'
import { isMember, type OwnerNotices, shownName } from '../members/index.ts'
import { type ApiKeyRow, apiKeysStore, livingMax } from './api-keys.store.ts'

/** A key to mint. A secret key without scope is `full`. */
export type NewKey = {
  name: string
  type: 'publishable' | 'secret'
  scope?: 'full' | 'read'
  ipAllowlist: readonly string[]
  /** ISO 8601. */
  expiresAt?: string
}

/** A key with its rights. */
export type StoredKey = Omit<NewKey, 'scope' | 'expiresAt'> & {
  scope?: 'full' | 'read' | null
  expiresAt: string | Date | null
}

/** A new key with its text, which is known only now. */
export type MintedKey = ApiKeyRow & { key: string }

const prefixes = { publishable: 'pk_live_', secret: 'sk_live_' } as const

/** What the API keys of organizations are managed with. */
export type ApiKeysCtx = {
  sql: Sql
  ids: Ids
  random: Random
  hashToken: (token: string) => Uint8Array
  audit: Audit
  notices: OwnerNotices
}

/** Mints a key for a principal who is still a member when the key is stored. */
export async function mintApiKey(
  ctx: ApiKeysCtx,
  principal: MemberPrincipal,
  key: NewKey,
): Promise<MintedKey | Failure<'invalid_request' | 'not_found' | 'forbidden'>> {
  const minted = await ctx.sql.begin(async (tx) => {
    if (!(await isMember(tx, principal))) return failure('not_found')
    if (key.expiresAt !== undefined && (await apiKeysStore.isPast(tx, key.expiresAt))) {
      const issue = { path: ['expires_at'], message: 'is in the past' }
      return failure('invalid_request', { details: { issues: [issue] } })
    }
    const { text, row } = newRow(ctx, principal.organization.id, { ...key, expiresAt: key.expiresAt ?? null })
    const stored = await apiKeysStore.insertBelowMax(tx, row)
    if (stored === undefined) return fullOf(key.type)
    const made = { ...stored, key: text }
    await record(ctx, tx, 'api_key.created', principal, made, factsOf(made))
    return made
  })
  if (!isFailure(minted)) ctx.notices.nudge()
  return minted
}

/** Revokes a key: a signature that it asked for and that has not been released by then never is. */
export async function revokeApiKey(
  ctx: ApiKeysCtx,
  principal: MemberPrincipal,
  id: string,
): Promise<undefined | Failure<'not_found'>> {
  const { id: organizationId } = principal.organization
  const refused = await ctx.sql.begin(async (tx) => {
    await apiKeysStore.lock(tx, organizationId)
    const key = await apiKeysStore.revoke(tx, organizationId, id)
    if (key === undefined) return failure('not_found')
    if (!key.wasRevoked) await record(ctx, tx, 'api_key.revoked', principal, key, { key_id: id })
    return undefined
  })
  if (refused === undefined) ctx.notices.nudge()
  return refused
}

/** Mints a key with the rights of a living one, which ends after `graceSeconds`, or at once for 0. */
export async function rotateApiKey(
  ctx: ApiKeysCtx,
  principal: MemberPrincipal,
  { id, graceSeconds }: { id: string; graceSeconds: number },
): Promise<MintedKey | Failure<'not_found' | 'forbidden'>> {
  const { id: organizationId } = principal.organization
  const minted = await ctx.sql.begin(async (tx) => {
    if (!(await isMember(tx, principal))) return failure('not_found')
    await apiKeysStore.lock(tx, organizationId)
    const old = await apiKeysStore.living(tx, organizationId, id)
    if (old === undefined) return failure('not_found')
    const { name, type, scope, ipAllowlist, expiresAt } = old
    const rights = { name, type, ipAllowlist, expiresAt, ...(scope !== null && { scope }) }
    // Without a grace, the old key makes room for the new one.
    if (graceSeconds === 0) await apiKeysStore.revoke(tx, organizationId, id)
    const { text, row } = newRow(ctx, organizationId, rights)
    const stored = await apiKeysStore.insertBelowMax(tx, row)
    if (stored === undefined) return fullOf(type)
    const made = { ...stored, key: text }
    const facts = { ...factsOf(made), replaces: id, grace_seconds: graceSeconds }
    await record(ctx, tx, 'api_key.created', principal, made, facts)
    if (graceSeconds > 0) {
      await apiKeysStore.endIn(tx, id, graceSeconds)
    } else {
      await record(ctx, tx, 'api_key.revoked', principal, old, { key_id: id, replaced_by: made.id })
    }
    return made
  })
  if (!isFailure(minted)) ctx.notices.nudge()
  return minted
}

const fullOf = (type: ApiKeyRow['type']) =>
  failure('forbidden', {
    message: `The company has ${livingMax} ${type} keys that work, which is the most. Revoke one first.`,
  })

/** Mints a key without a member behind it, for development and tests, however many there are. */
export async function insertApiKey(
  ctx: Minting,
  sql: Queryable,
  organizationId: string,
  key: StoredKey,
): Promise<MintedKey> {
  const { text, row } = newRow(ctx, organizationId, key)
  return { ...(await apiKeysStore.insert(sql, row)), key: text }
}

type Minting = Pick<ApiKeysCtx, 'ids' | 'random' | 'hashToken'>

/** A new key's text, and what is stored: its keyed hash and last four characters. */
function newRow({ ids, random, hashToken }: Minting, organizationId: string, key: StoredKey) {
  const text = mintToken(prefixes[key.type], random(32))
  const row = {
    id: ids.next(),
    organizationId,
    name: key.name,
    type: key.type,
    scope: key.type === 'secret' ? (key.scope ?? 'full') : null,
    ipAllowlist: [...key.ipAllowlist],
    expiresAt: key.expiresAt,
    hash: hashToken(text),
    last4: text.slice(-4),
  }
  return { text, row }
}

async function record(
  { audit, notices }: ApiKeysCtx,
  tx: Transaction,
  type: Extract<AuditEventType, 'api_key.created' | 'api_key.revoked'>,
  { organization, user }: MemberPrincipal,
  key: ApiKeyRow,
  payload: Record<string, unknown>,
): Promise<void> {
  await audit.append(tx, {
    organizationId: organization.id,
    type,
    actorType: 'portal_user',
    actorId: user.id,
    payload,
    success: true,
  })
  const changed = type === 'api_key.created' ? 'an API key was minted' : 'an API key was revoked'
  await notices.queue(tx, organization.id, { changed, of: nameOf(key), by: user.email })
}

const factsOf = ({ id, type, scope }: ApiKeyRow) => ({
  key_id: id,
  type,
  ...(scope !== null && { scope }),
})

/** How people tell keys apart: by name, kind and last characters, as the portal's list does. */
const nameOf = ({ name, type, scope, last4 }: ApiKeyRow) =>
  `"${shownName(name)}" (${scope === null ? type : `${type}, ${scope}`}, ends in ${last4})`
