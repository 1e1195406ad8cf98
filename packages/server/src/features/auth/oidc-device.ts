import type { UserPrincipal } from '../../http/principal.ts'
import { type Failure, isFailure } from '../../runtime/failure.ts'
import { deviceHash, readDevice, recordDeviceLogin } from '../devices/index.ts'
import type { AuthCtx } from './auth.ts'

/**
 * In mode `oidc`, the first call with a token that names its device is the login of that device: we never see the login itself. In mode
 * `service` the login has recorded it before.
 */
export async function recordOidcDevice(
  { sql, devices }: Pick<AuthCtx, 'sql' | 'devices'>,
  { organization, identity, token }: UserPrincipal,
  request: { address: string; userAgent: string | undefined; device: string | undefined },
): Promise<undefined | Failure<'invalid_request'>> {
  const nonce = readDevice(request.device)
  if (isFailure(nonce)) return nonce
  if (nonce === undefined || organization.authMode !== 'oidc') return undefined
  const organizationId = organization.id
  const nonceHash = deviceHash(devices.pepper, organizationId, nonce)
  const login = { organizationId, identityId: identity.id, email: identity.email, nonceHash, token, request }
  if (await sql.begin((tx) => recordDeviceLogin(devices, tx, login))) devices.outbox.nudge()
  return undefined
}
