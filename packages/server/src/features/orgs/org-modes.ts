import type { AuditEventType } from '@symbolon/api'
import type { Transaction } from '../../db/pool.ts'
import type { MemberPrincipal } from '../../http/principal.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import { orgModesStore } from './org-modes.store.ts'
import type { OrgsCtx } from './orgs.ts'

/** The authentication mode of end users. */
export type AuthChange =
  | { mode: 'service' }
  | { mode: 'oidc'; issuer: string; audience: string; trust_email?: boolean }

/** Sets how end users log in. A change ends their current tokens at once. */
export async function setAuth(
  ctx: OrgsCtx,
  principal: MemberPrincipal,
  change: AuthChange,
): Promise<undefined | Failure<'invalid_request' | 'not_found'>> {
  const { id } = principal.organization
  const after = { issuer: null, audience: null, trust_email: false, ...change }
  if (after.issuer !== null && !ctx.mayCall(after.issuer)) {
    const issue = { path: ['auth_config', 'issuer'], message: 'must be a public https URL' }
    return failure('invalid_request', { details: { issues: [issue] } })
  }
  const refused = await ctx.sql.begin(async (tx) => {
    const before = await orgModesStore.lockAuth(tx, id)
    if (before === undefined) return failure('not_found')
    const { mode, issuer, audience, trust_email } = after
    const names = ['mode', 'issuer', 'audience', 'trust_email'] as const
    if (names.every((name) => after[name] === before[name])) return undefined
    await orgModesStore.setAuth(tx, id, after)
    await record(ctx, tx, principal, {
      type: 'org.auth_updated',
      changed: 'the login of end users was changed',
      payload: { before, after: { mode, issuer, audience, trust_email } },
    })
    return undefined
  })
  if (refused === undefined) ctx.notices.nudge()
  return refused
}

/** Sets where keys sign, as long as the organization has no wallet. */
export async function setSigningMode(
  ctx: OrgsCtx,
  principal: MemberPrincipal,
  signingMode: 'client' | 'tee',
): Promise<undefined | Failure<'organization_has_wallets' | 'not_found'>> {
  const { id } = principal.organization
  const refused = await ctx.sql.begin(async (tx) => {
    const before = await orgModesStore.lockSigningMode(tx, id)
    if (before === undefined) return failure('not_found')
    if (before.hasWallets) return failure('organization_has_wallets')
    if (before.mode === signingMode) return undefined
    await orgModesStore.setSigningMode(tx, id, signingMode)
    await record(ctx, tx, principal, {
      type: 'org.signing_mode_updated',
      changed: 'the signing mode was changed',
      payload: { before: before.mode, after: signingMode },
    })
    return undefined
  })
  if (refused === undefined) ctx.notices.nudge()
  return refused
}

/** Records the change as an audit event, and emails it to the owners. */
async function record(
  { audit, notices }: OrgsCtx,
  tx: Transaction,
  { organization, user }: MemberPrincipal,
  { type, changed, payload }: { type: AuditEventType; changed: string; payload: Record<string, unknown> },
): Promise<void> {
  const actor = { actorType: 'portal_user' as const, actorId: user.id }
  await audit.append(tx, { organizationId: organization.id, type, ...actor, payload, success: true })
  await notices.queue(tx, organization.id, { changed, by: user.email })
}
