import type { AuditEventType, Fail } from '@symbolon/api'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { MemberPrincipal } from '../../http/principal.ts'
import type { Audit } from '../audit/index.ts'
import type { OwnerNotices } from '../members/index.ts'

/** How end users log in. */
export type AuthChange = { mode: 'service' } | { mode: 'oidc'; issuer: string; audience: string }

/** What of an organization decides over logins and keys: each change is an event, and the owners hear of it. */
export function orgModes({
  sql,
  audit,
  notices,
  mayCall,
}: {
  sql: Sql
  audit: Audit
  notices: OwnerNotices
  /** Whether the outbound guard would let a call to this URL out. */
  mayCall: (url: string) => boolean
}) {
  async function record(
    tx: Transaction,
    { organization, user }: MemberPrincipal,
    { type, changed, payload }: { type: AuditEventType; changed: string; payload: Record<string, unknown> },
  ): Promise<void> {
    const actor = { actorType: 'portal_user' as const, actorId: user.id }
    await audit.append(tx, { organizationId: organization.id, type, ...actor, payload, success: true })
    await notices.queue(tx, organization.id, { changed, by: user.email })
  }

  return {
    /** Sets how end users log in. Whatever changes, the tokens of before end at once. */
    async setAuth(
      principal: MemberPrincipal,
      change: AuthChange,
      fail: Fail<'invalid_request' | 'not_found'>,
    ): Promise<void> {
      const { id } = principal.organization
      const issuer = change.mode === 'oidc' ? change.issuer : null
      const audience = change.mode === 'oidc' ? change.audience : null
      if (issuer !== null && !mayCall(issuer)) {
        const issue = { path: ['auth_config', 'issuer'], message: 'not an https URL that can be called' }
        throw fail('invalid_request', { details: { issues: [issue] } })
      }
      await sql.begin(async (tx) => {
        const rows = await tx<{ mode: string; issuer: string | null; audience: string | null }[]>`
          select auth_mode as mode, oidc_issuer as issuer, oidc_audience as audience
          from organizations where id = ${id} for no key update`
        const [before] = rows
        if (before === undefined) throw fail('not_found')
        const after = { mode: change.mode, issuer, audience }
        if (JSON.stringify({ ...before }) === JSON.stringify(after)) return
        await tx`
          update organizations set auth_mode = ${change.mode}, oidc_issuer = ${issuer}, oidc_audience = ${audience},
            auth_changed_at = app_now(), updated_at = app_now()
          where id = ${id}`
        await record(tx, principal, {
          type: 'org.auth_updated',
          changed: 'the login of end users was changed',
          payload: { before: { ...before }, after },
        })
      })
      notices.nudge()
    },

    /**
     * Sets where keys sign, while there is no wallet. The counter row is locked, which every new wallet passes: none is made
     * between the look and the change.
     */
    async setSigningMode(
      principal: MemberPrincipal,
      signingMode: 'client' | 'tee',
      fail: Fail<'organization_has_wallets' | 'not_found'>,
    ): Promise<void> {
      const { id } = principal.organization
      await sql.begin(async (tx) => {
        const rows = await tx<{ before: 'client' | 'tee' }[]>`
          select signing_mode as before from organizations where id = ${id} for no key update`
        await tx`select 1 from organization_counters where organization_id = ${id} for update`
        const found = await tx`select 1 from wallets where organization_id = ${id} limit 1`
        const [row] = rows
        if (row === undefined) throw fail('not_found')
        if (found.length > 0) throw fail('organization_has_wallets')
        if (row.before === signingMode) return
        await tx`update organizations set signing_mode = ${signingMode}, updated_at = app_now() where id = ${id}`
        await record(tx, principal, {
          type: 'org.signing_mode_updated',
          changed: 'the signing mode was changed',
          payload: { before: row.before, after: signingMode },
        })
      })
      notices.nudge()
    },
  }
}

export type OrgModes = ReturnType<typeof orgModes>
