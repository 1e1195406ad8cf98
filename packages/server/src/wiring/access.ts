import { openapiSteps } from '@symbolon/api/openapi'
import { attestationRoutes } from '../features/attestation/attestation.routes.ts'
import type { Audit } from '../features/audit/audit.ts'
import { authRoutes } from '../features/auth/auth.routes.ts'
import { verifiedTokens } from '../features/auth/oidc.ts'
import { serviceTokens } from '../features/auth/service-token.ts'
import { userTokens } from '../features/auth/user-tokens.ts'
import { operatorFramesRoutes } from '../features/custody/operator-frames.routes.ts'
import { operatorFrames } from '../features/custody/operator-frames.ts'
import type { DevicesCtx } from '../features/devices/index.ts'
import { frameRoutes } from '../features/frame/frame.routes.ts'
import { healthRoutes } from '../features/health/health.routes.ts'
import { health } from '../features/health/health.ts'
import { jwksRoutes } from '../features/jwks/jwks.routes.ts'
import type { PlatformKey } from '../features/jwks/platform-key.ts'
import { receiptsRoutes } from '../features/receipts/receipts.routes.ts'
import { unscopedSigns } from '../features/signing/unscoped-signs.ts'
import type { Delegates } from '../http/auth/auth-scheme.ts'
import { type AuthSchemes, authSchemes } from '../http/auth/auth-schemes.ts'
import { credentialLookups } from '../http/auth/credential-lookups.ts'
import type { Bound } from '../http/handler.ts'
import type { Limiter } from '../http/limiter.ts'
import { inSteps } from '../runtime/in-steps.ts'
import type { AppOptions, Ports } from './app-ports.ts'

/** What access to the service is built from. */
export type AccessParts = {
  ports: Ports
  options: AppOptions
  audit: Audit
  limiter: Limiter
  devices: DevicesCtx
  delegates: Delegates
  hashToken: (token: string) => Uint8Array
  key: PlatformKey
}

/** Builds how requests are authenticated, the login of end users, and the routes that anybody may call. */
export function wireAccess(parts: AccessParts): { bound: Bound[]; authSchemes: AuthSchemes } {
  const { ports, options, audit, limiter, devices, delegates, hashToken, key } = parts
  const { sql, kms, enclave, ids, random, secrets } = ports
  const service = serviceTokens({ baseUrl: options.baseUrl, masters: secrets.masters })
  const oidc = { sql, ids, audit, limiter, issuerKeys: ports.issuerKeys, verified: verifiedTokens() }
  const codes = { pepper: secrets.pepper, random, limiter }
  const find = credentialLookups(sql, hashToken)
  const { probes } = options
  return {
    bound: [
      ...healthRoutes(health({ sql, kms, enclave, ...(probes && { extra: probes }) }), openapiOnce()),
      ...attestationRoutes({ sql, enclave }, limiter),
      ...operatorFramesRoutes(operatorFrames({ sql, enclave }), limiter),
      ...receiptsRoutes(sql),
      ...jwksRoutes(key),
      ...frameRoutes({ find, originRules: options.originRules }),
      ...authRoutes({ sql, ids, audit, codes, tokens: service, devices }),
    ],
    authSchemes: authSchemes({
      find,
      limiter,
      userTokens: userTokens({ service, oidc }),
      delegates,
      originRules: options.originRules,
      onUnscoped: unscopedSigns(audit),
    }),
  }
}

/** The bytes of the OpenAPI document, made at the first request, between others. */
function openapiOnce(): () => Promise<Uint8Array> {
  let made: Promise<Uint8Array> | undefined
  return () => {
    made ??= inSteps(openapiSteps()).then((document) => Buffer.from(JSON.stringify(document)))
    return made
  }
}
