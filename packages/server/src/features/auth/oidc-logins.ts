import type { ErrorCode } from '@symbolon/api'
import type { Sql } from '../../db/pool.ts'
import type { Limiter } from '../../http/limiter.ts'
import type { Identity, UserToken } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Audit } from '../audit/index.ts'
import { authStore } from './auth.store.ts'
import type { OidcUser } from './oidc-user.ts'

/** The context for recording logins of organizations in `oidc` mode: identities and events. */
export type OidcLoginsCtx = { sql: Sql; ids: Ids; audit: Audit; limiter: Limiter }

/**
 * Makes or finds the identity of a provider's user: one per (organization, issuer, subject). Its `email` is that of this token, not of an
 * earlier one. The first acceptance of a token, over all processes, is a login and an event.
 */
export const acceptLogin = (
  { sql, ids, audit }: OidcLoginsCtx,
  organizationId: string,
  user: OidcUser,
  token: UserToken,
): Promise<Identity> =>
  sql.begin(async (tx) => {
    const id = await authStore.upsertOidcIdentity(tx, organizationId, { newIdentityId: ids.next(), user })
    if (await authStore.acceptToken(tx, organizationId, token))
      await audit.append(tx, { ...loginEvent(organizationId, id), success: true })
    return { id, authProvider: 'oidc', providerUserId: user.subject, email: user.email }
  })

/** Records that a token of the organization's issuer was refused, as far as the rate of such events allows. */
export async function refuseLogin(
  { audit, limiter }: OidcLoginsCtx,
  organizationId: string,
  errorCode: ErrorCode,
): Promise<void> {
  const { isGranted } = await limiter.acquire('login-refusal', organizationId)
  if (isGranted) await audit.write({ ...loginEvent(organizationId, undefined), success: false, errorCode })
}

const loginEvent = (organizationId: string, identityId: string | undefined) =>
  ({
    organizationId,
    type: 'user.logged_in',
    ...(identityId !== undefined && { userIdentityId: identityId }),
    actorType: 'end_user',
    actorId: identityId ?? '',
    payload: { auth_provider: 'oidc' },
  }) as const
