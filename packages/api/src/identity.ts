import * as z from 'zod'
import { Id, NetworkName } from './formats.ts'

/** How the organization's wallets sign: in the user's browser, or in the trusted execution environment. */
export const SigningMode = z.enum(['client', 'tee']).meta({ id: 'SigningMode' })

/** Where a login comes from: the hosted email code, or the organization's own identity provider. */
export const AuthProvider = z.enum(['service', 'oidc']).meta({ id: 'AuthProvider' })

/** The owner of a wallet; `email` is null if the identity provider has none. */
export const Owner = z
  .strictObject({
    user_identity_id: Id,
    auth_provider: AuthProvider,
    provider_user_id: z.string(),
    email: z.string().nullable(),
  })
  .meta({ id: 'Owner' })

/** The end user behind a JWT, with what the organization has switched on. */
export const Identity = z
  .strictObject({
    organization_id: Id,
    ...Owner.shape,
    supported_networks: z.array(NetworkName),
    signing_mode: SigningMode,
  })
  .meta({ id: 'Identity' })
