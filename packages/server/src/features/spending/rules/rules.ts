import { isDeepStrictEqual } from 'node:util'
import type { Fail, OrganizationRules, PortalRole } from '@symbolon/api'
import type { Queryable, Sql } from '../../../db/pool.ts'
import type { MemberPrincipal } from '../../../http/principal.ts'
import type { Audit } from '../../audit/index.ts'
import { type RulesRow, rulesStore } from './rules.store.ts'

/** Whether somebody still is what they were let in as, held until the transaction ends. */
export type IsMember = (
  tx: Queryable,
  member: { organizationId: string; userId: string; role: PortalRole },
) => Promise<boolean>

/** The global rules of organizations for their agents. */
export function rules({
  sql,
  audit,
  isMember,
  lock,
  checkPolicy,
  refreshOwnSessions,
}: {
  sql: Sql
  audit: Audit
  isMember: IsMember
  /** The lock that every release of a signature takes. */
  lock: (tx: Queryable, organizationId: string) => Promise<void>
  checkPolicy: (rules: OrganizationRules, fail: Fail<'chain_unsupported' | 'invalid_request'>) => void
  /** Seals the grants of the agents' own sessions anew: what was loosened reaches their runs too. */
  refreshOwnSessions: (organizationId: string, fail: Fail<'invalid_request' | 'unavailable'>) => Promise<void>
}) {
  return {
    get: (organizationId: string): Promise<RulesRow> => rulesStore.get(sql, organizationId),

    /** Replaces the rules: after the answer nothing is signed under the old ones. Rules that are set already are no event. */
    async put(
      { organization, user, role }: MemberPrincipal,
      wanted: OrganizationRules,
      fail: Fail<'chain_unsupported' | 'invalid_request' | 'not_found' | 'unavailable'>,
    ): Promise<RulesRow> {
      checkPolicy(wanted, fail)
      const { id: organizationId } = organization
      const stored = await sql.begin(async (tx) => {
        if (!(await isMember(tx, { organizationId, userId: user.id, role }))) throw fail('not_found')
        await lock(tx, organizationId)
        const before = await rulesStore.get(tx, organizationId)
        if (before.updatedAt !== null && isDeepStrictEqual(before.rules, wanted)) return before
        const after = await rulesStore.put(tx, organizationId, wanted)
        await audit.append(tx, {
          organizationId,
          type: 'org.rules_updated',
          actorType: 'portal_user',
          actorId: user.id,
          payload: changesOf(before.rules, wanted),
          success: true,
        })
        return after
      })
      await refreshOwnSessions(organizationId, fail)
      return stored
    },
  }
}

/** The rules of organizations. */
export type Rules = ReturnType<typeof rules>

/** Which rules changed; single values before and after, lists, which may be long, by name alone. */
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
