import { ApiError } from '@symbolon/api'
import { parseToken } from '@symbolon/crypto'
import type { ApiKey, Organization } from '../principal.ts'
import {
  type AuthCtx,
  type Authenticated,
  type AuthRequest,
  mistyped,
  requireBearer,
  unknown,
  whereKeys,
} from './auth-scheme.ts'
import { isAddressAllowed } from './ip-allowlist.ts'

const secretKey = { name: 'secret key', where: whereKeys }

/** Authenticates a secret key, from an address in its allow-list, with the scope that the route needs. */
export async function authenticateSecretKey(
  { find, onUnscoped }: AuthCtx,
  { route, credentials, weight }: AuthRequest,
): Promise<Authenticated & { principal: { organization: Organization; key: ApiKey } }> {
  const token = requireBearer(credentials, 'sk_live_')
  if (parseToken(token)?.prefix !== 'sk_live_') throw mistyped(secretKey)
  const found = await find.secretKey(token, weight)
  if (found === undefined) throw unknown(secretKey)
  const { record, grant } = found
  const { key, organization } = record
  if (!isAddressAllowed(credentials.address, key.ipAllowlist)) throw new ApiError('ip_not_allowed')
  if (route.scope === 'full' && key.scope !== 'full') {
    if (grant.isGranted) await onUnscoped(route, { organization, key })
    throw new ApiError('insufficient_scope')
  }
  return {
    principal: { organization, key },
    credentialId: key.id,
    grant,
    bucket: { name: 's2s', key: key.id },
  }
}
