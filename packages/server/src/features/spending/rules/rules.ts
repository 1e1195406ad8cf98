import { isDeepStrictEqual } from 'node:util'
import type { OrganizationRules } from '@symbolon/api'
import { lockOrganization } from '../../../db/organization-lock.ts'
import type { Sql } from '../../../db/pool.ts'
import type { MemberPrincipal } from '../../../http/principal.ts'
import type { Enclave } from '../../../ports/enclave.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import type { Audit } from '../../audit/index.ts'
import { tellEnclaveNow } from '../../custody/index.ts'
import { isMember, type OwnerNotices } from '../../members/index.ts'
import { checkPolicy } from './check-policy.ts'
import { type RulesRow, rulesStore } from './rules.store.ts'

/** What an organization's rules are changed with. */
export type RulesCtx = {
  sql: Sql
  audit: Audit
  notices: OwnerNotices
  enclave: Pick<Enclave, 'note' | 'takeMarks' | 'status'>
  /** Seals the grants of the agents' own sessions again, so that loosened rules reach their runs too. */
  refreshOwnSessions: (
    organizationId: string,
  ) => Promise<undefined | Failure<'invalid_request' | 'unavailable'>>
}

/** Replaces the rules: nothing is signed under the old ones after the answer. Setting the same rules again records no event. */
export async function putRules(
  ctx: RulesCtx,
  principal: MemberPrincipal,
  wanted: OrganizationRules,
): Promise<RulesRow | Failure<'chain_unsupported' | 'invalid_request' | 'not_found' | 'unavailable'>> {
  const invalid = checkPolicy(wanted)
  if (invalid !== undefined) return invalid
  const { id: organizationId } = principal.organization
  const stored = await ctx.sql.begin(async (tx) => {
    if (!(await isMember(tx, principal))) return failure('not_found')
    await lockOrganization(tx, organizationId)
    const before = await rulesStore.get(tx, organizationId)
    if (before.updatedAt !== null && isDeepStrictEqual(before.rules, wanted)) return before
    const after = await rulesStore.put(tx, organizationId, wanted)
    await ctx.audit.append(tx, {
      organizationId,
      type: 'org.rules_updated',
      actorType: 'portal_user',
      actorId: principal.user.id,
      payload: changesOf(before.rules, wanted),
      success: true,
    })
    const notice = { changed: 'the rules for agents were changed', by: principal.user.email }
    await ctx.notices.queue(tx, organizationId, notice)
    return after
  })
  if (isFailure(stored)) return stored
  ctx.notices.nudge()
  await tellEnclaveNow(ctx)
  return (await ctx.refreshOwnSessions(organizationId)) ?? stored
}

/** The rules that changed: single values before and after; lists, which may be long, by name only. */
function changesOf(before: OrganizationRules, after: OrganizationRules) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof OrganizationRules)[]
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const values = (rules: OrganizationRules) =>
    Object.fromEntries(
      changed.flatMap((name) =>
        Array.isArray(before[name] ?? after[name]) ? [] : [[name, rules[name] ?? null]],
      ),
    )
  return { changed, before: values(before), after: values(after) }
}
