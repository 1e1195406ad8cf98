import type { ErrorCode } from '@symbolon/api'
import type { Sql } from '../../db/pool.ts'
import type { Limiter } from '../../http/limiter.ts'
import type { Identity, UserToken } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Audit } from '../audit/index.ts'
import { authStore } from './auth.store.ts'
import type { OidcUser } from './oidc-user.ts'

/** What the tokens of identity providers leave behind: identities, and the events of their logins. */
export type OidcLogins = {
  /**
   * Makes or finds the identity of a provider's user: one per (organization, issuer, subject). Its `email` is what this login
   * tells, not what an earlier one told. The first acceptance of a token, over all processes, is a login and an event.
   */
  accept(organizationId: string, user: OidcUser, token: UserToken): Promise<Identity>
  /** Records that a token of the organization's issuer was refused, as far as the rate of such events allows. */
  refuse(organizationId: string, errorCode: ErrorCode): Promise<void>
}

/** What they stand on. */
export type OidcLoginPorts = { sql: Sql; ids: Ids; audit: Audit; limiter: Limiter }

/** Makes the logins of all organizations in `oidc` mode. */
export function oidcLogins({ sql, ids, audit, limiter }: OidcLoginPorts): OidcLogins {
  const eventOf = (organizationId: string, identityId: string | undefined) =>
    ({
      organizationId,
      type: 'user.logged_in',
      ...(identityId !== undefined && { userIdentityId: identityId }),
      actorType: 'end_user',
      actorId: identityId ?? '',
      payload: { auth_provider: 'oidc' },
    }) as const

  return {
    accept: async (organizationId, user, token) =>
      sql.begin(async (tx) => {
        const id = await authStore.upsertOidcIdentity(tx, organizationId, { newIdentityId: ids.next(), user })
        if (await authStore.acceptToken(tx, organizationId, token))
          await audit.append(tx, { ...eventOf(organizationId, id), success: true })
        return { id, authProvider: 'oidc', providerUserId: user.subject, email: user.email }
      }),

    async refuse(organizationId, errorCode) {
      const { isGranted } = await limiter.acquire('login-refusal', organizationId)
      if (isGranted) await audit.write({ ...eventOf(organizationId, undefined), success: false, errorCode })
    },
  }
}
