import { limits } from '@symbolon/api'
import { networks } from '@symbolon/networks'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { ReportRate } from '../../http/limiter.ts'
import type { MemberPrincipal } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import { type Failure, failure, isFailure, rateLimited } from '../../runtime/failure.ts'
import type { Audit } from '../audit/index.ts'
import { membersStore, type OwnerNotices } from '../members/index.ts'
import { type OrgProfile, orgProfilesStore } from './org-profiles.store.ts'
import { orgsStore } from './orgs.store.ts'

/**
 * The context of the use cases of organizations. `mayCall`: whether the outbound guard allows calls to a URL.
 * `highRiskDelaySeconds`: the delay of new organizations.
 */
export type OrgsCtx = {
  sql: Sql
  ids: Ids
  audit: Audit
  notices: OwnerNotices
  mayCall: (url: string) => boolean
  highRiskDelaySeconds: number
}

/** A new organization. Without `supportedNetworks`, it supports all of them. */
export type NewOrganization = {
  name: string
  slug: string
  /** Two letters; empty when unknown. */
  country?: string
  signingMode: 'client' | 'tee'
  supportedNetworks?: readonly string[]
  allowedOrigins?: readonly string[]
}

/** Creates an organization without members, for development and tests. */
export async function createOrganization(
  ctx: Pick<OrgsCtx, 'sql' | 'ids' | 'highRiskDelaySeconds'>,
  organization: NewOrganization,
): Promise<{ id: string }> {
  const id = ctx.ids.next()
  if (!(await ctx.sql.begin((tx) => insert(ctx, tx, id, organization))))
    throw new Error(`The slug ${organization.slug} is taken.`)
  return { id }
}

/** Creates a company whose owner is the user, who makes 50 in 24 hours at most. */
export async function createCompany(
  ctx: OrgsCtx,
  user: { id: string },
  company: NewOrganization,
  rate: ReportRate,
): Promise<OrgProfile | Failure<'slug_taken' | 'rate_limited'>> {
  const { burst, periodMs } = limits.company
  const id = ctx.ids.next()
  const memberId = ctx.ids.next()
  const refused = await ctx.sql.begin(async (tx) => {
    const { made, retrySeconds } = await orgsStore.lockMaker(tx, user.id, burst)
    const isGranted = retrySeconds <= 0
    const remaining = isGranted ? burst - made - 1 : 0
    const resetSeconds = isGranted ? (burst * periodMs) / 1_000 : retrySeconds
    rate({ isGranted, burst, remaining, retrySeconds, resetSeconds })
    if (!isGranted) return rateLimited({ retrySeconds })
    if (!(await insert(ctx, tx, id, company))) return failure('slug_taken')
    await orgsStore.countMade(tx, user.id)
    const owner = {
      id: memberId,
      organizationId: id,
      userId: user.id,
      role: 'owner',
      hasEntered: true,
    } as const
    await membersStore.insert(tx, owner)
    const actor = { organizationId: id, actorType: 'portal_user' as const, actorId: user.id, success: true }
    await ctx.audit.append(tx, { ...actor, type: 'org.created', payload: { slug: company.slug } })
    const payload = { member_id: memberId, user_id: user.id, role: 'owner' }
    await ctx.audit.append(tx, { ...actor, type: 'member.added', payload })
    return undefined
  })
  if (refused !== undefined) return refused
  const profile = await orgProfilesStore.get(ctx.sql, id, user.id)
  if (profile === undefined) throw new Error('The new company has lost its owner.')
  return profile
}

/** The organization as the principal sees it; `not_found` when they have just been removed from it. */
export async function organizationOf(
  ctx: OrgsCtx,
  { organization, user }: MemberPrincipal,
): Promise<OrgProfile | Failure<'not_found'>> {
  return (await orgProfilesStore.get(ctx.sql, organization.id, user.id)) ?? failure('not_found')
}

/** Waits for a change, then returns the organization as it is after it, or the failure of the change. */
export async function changeOrganization<outcome>(
  ctx: OrgsCtx,
  principal: MemberPrincipal,
  change: Promise<outcome>,
): Promise<OrgProfile | Extract<outcome, Failure> | Failure<'not_found'>> {
  const outcome = await change
  return isFailure(outcome) ? (outcome as Extract<outcome, Failure>) : organizationOf(ctx, principal)
}

const insert = (
  { highRiskDelaySeconds }: Pick<OrgsCtx, 'highRiskDelaySeconds'>,
  tx: Transaction,
  id: string,
  organization: NewOrganization,
): Promise<boolean> =>
  orgsStore.insertNew(tx, {
    id,
    name: organization.name,
    slug: organization.slug,
    country: organization.country ?? '',
    signingMode: organization.signingMode,
    supportedNetworks: [...(organization.supportedNetworks ?? networks.list.map(({ name }) => name))],
    allowedOrigins: [...(organization.allowedOrigins ?? [])],
    highRiskDelaySeconds,
  })
