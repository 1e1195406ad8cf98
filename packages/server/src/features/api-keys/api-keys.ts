import type { AuditEventType, Fail } from '@symbolon/api'
import { mintToken } from '@symbolon/crypto'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { MemberCaller } from '../../http/caller.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Audit } from '../audit/index.ts'
import type { OwnerNotices } from '../members/index.ts'
import { type ApiKeyRow, apiKeysStore } from './api-keys.store.ts'

/** What a key is to be. A secret key without scope is `full`. */
export type NewKey = {
  name: string
  type: 'publishable' | 'secret'
  scope?: 'full' | 'read'
  ipAllowlist: readonly string[]
  /** ISO 8601. */
  expiresAt?: string
}

/** A key that was just made: the only time its text is known. */
export type MintedKey = ApiKeyRow & { key: string }

const prefixes = { publishable: 'pk_live_', secret: 'sk_live_' } as const

/** The API keys of organizations, as their members manage them. */
export function apiKeys({
  sql,
  ids,
  random,
  hashToken,
  audit,
  notices,
}: {
  sql: Sql
  ids: Ids
  random: Random
  hashToken: (token: string) => Uint8Array
  audit: Audit
  notices: OwnerNotices
}) {
  async function record(
    tx: Transaction,
    type: Extract<AuditEventType, 'api_key.created' | 'api_key.revoked'>,
    caller: MemberCaller,
    key: ApiKeyRow,
    payload: Record<string, unknown>,
  ): Promise<void> {
    await audit.append(tx, {
      organizationId: caller.organization.id,
      type,
      actorType: 'portal_user',
      actorId: caller.user.id,
      payload,
      success: true,
    })
    const changed = type === 'api_key.created' ? 'an API key was minted' : 'an API key was revoked'
    await notices.queue(tx, caller.organization.id, { changed, of: named(key), by: caller.user.email })
  }

  async function insert(
    tx: Transaction,
    organizationId: string,
    key: Omit<NewKey, 'expiresAt'> & { expiresAt: string | Date | null },
  ): Promise<MintedKey> {
    const text = mintToken(prefixes[key.type], random(32))
    const row = await apiKeysStore.insert(tx, {
      id: ids.next(),
      organizationId,
      name: key.name,
      type: key.type,
      scope: key.type === 'secret' ? (key.scope ?? 'full') : null,
      ipAllowlist: [...key.ipAllowlist],
      expiresAt: key.expiresAt,
      hash: hashToken(text),
      last4: text.slice(-4),
    })
    return { ...row, key: text }
  }

  async function checkMember(
    tx: Transaction,
    { organization, user, role }: MemberCaller,
    fail: Fail<'not_found'>,
  ): Promise<void> {
    const member = { organizationId: organization.id, userId: user.id, role }
    if (!(await apiKeysStore.isMember(tx, member))) throw fail('not_found')
  }

  const described = ({ id, type, scope }: ApiKeyRow) => ({
    key_id: id,
    type,
    ...(scope !== null && { scope }),
  })

  /** How people tell keys apart: by name, kind and last characters, as the portal's list does. */
  const named = ({ name, type, scope, last4 }: ApiKeyRow) =>
    `"${name}" (${scope === null ? type : `${type}, ${scope}`}, ends in ${last4})`

  return {
    list: (organizationId: string): Promise<ApiKeyRow[]> => apiKeysStore.list(sql, organizationId),

    /** Makes a key for somebody who is a member to the moment it exists. */
    async mint(
      caller: MemberCaller,
      key: NewKey,
      fail: Fail<'invalid_request' | 'not_found'>,
    ): Promise<MintedKey> {
      const minted = await sql.begin(async (tx) => {
        await checkMember(tx, caller, fail)
        if (key.expiresAt !== undefined && (await apiKeysStore.isPast(tx, key.expiresAt))) {
          const issue = { path: ['expires_at'], message: 'is past' }
          throw fail('invalid_request', { details: { issues: [issue] } })
        }
        const made = await insert(tx, caller.organization.id, { ...key, expiresAt: key.expiresAt ?? null })
        await record(tx, 'api_key.created', caller, made, described(made))
        return made
      })
      notices.nudge()
      return minted
    },

    /** Ends a key: whatever it asked for and has not left by then never leaves. */
    async revoke(caller: MemberCaller, id: string, fail: Fail<'not_found'>): Promise<void> {
      const { id: organizationId } = caller.organization
      await sql.begin(async (tx) => {
        await apiKeysStore.lock(tx, organizationId)
        const key = await apiKeysStore.revoke(tx, organizationId, id)
        if (key === undefined) throw fail('not_found')
        if (!key.wasRevoked) await record(tx, 'api_key.revoked', caller, key, { key_id: id })
      })
      notices.nudge()
    },

    /** A new key with the rights of a living one, which ends after `graceSeconds`, or at once for 0. */
    async rotate(
      caller: MemberCaller,
      { id, graceSeconds }: { id: string; graceSeconds: number },
      fail: Fail<'not_found'>,
    ): Promise<MintedKey> {
      const { id: organizationId } = caller.organization
      const minted = await sql.begin(async (tx) => {
        await checkMember(tx, caller, fail)
        await apiKeysStore.lock(tx, organizationId)
        const old = await apiKeysStore.living(tx, organizationId, id)
        if (old === undefined) throw fail('not_found')
        const { name, type, scope, ipAllowlist, expiresAt } = old
        const rights = { name, type, ipAllowlist, expiresAt, ...(scope !== null && { scope }) }
        const made = await insert(tx, organizationId, rights)
        await record(tx, 'api_key.created', caller, made, {
          ...described(made),
          replaces: id,
          grace_seconds: graceSeconds,
        })
        if (graceSeconds === 0) {
          await apiKeysStore.revoke(tx, organizationId, id)
          await record(tx, 'api_key.revoked', caller, old, { key_id: id, replaced_by: made.id })
        } else {
          await apiKeysStore.endIn(tx, id, graceSeconds)
        }
        return made
      })
      notices.nudge()
      return minted
    },
  }
}

export type ApiKeys = ReturnType<typeof apiKeys>
