import * as z from 'zod'
import { ClientNonce, Email, Id } from '../formats.ts'
import { Identity } from '../identity.ts'
import type { Route } from '../route.ts'

/** Who wants to log in. */
export const StartEmailOtp = z
  .strictObject({ email: Email, client_nonce: ClientNonce.exactOptional() })
  .meta({ id: 'StartEmailOtp' })

/** The code that came by email. */
export const VerifyEmailOtp = z
  .strictObject({
    email: Email,
    code: z.string().regex(/^[0-9]{6}$/, 'must be 6 digits'),
    client_nonce: ClientNonce.exactOptional(),
  })
  .meta({ id: 'VerifyEmailOtp' })

/** Emails a login code. */
export const startEmailOtp = {
  id: 'auth.startEmailOtp',
  method: 'POST',
  path: '/v1/wallets/auth/email-otp/start',
  lane: 'publishable',
  limit: 'otp-start',
  summary: 'Email a login code',
  description: 'The answer and its timing are the same whether or not the email is known.',
  body: StartEmailOtp,
  status: 204,
  errors: ['auth_mode_mismatch'],
} as const satisfies Route

/** Trades a login code for a token. */
export const verifyEmailOtp = {
  id: 'auth.verifyEmailOtp',
  method: 'POST',
  path: '/v1/wallets/auth/email-otp/verify',
  lane: 'publishable',
  limit: 'otp-verify',
  summary: 'Exchange a login code for a token',
  description:
    'Only the newest code works, for ten minutes and five attempts. The token is valid for one hour.',
  body: VerifyEmailOtp,
  status: 200,
  data: z.strictObject({ token: z.string(), user_identity_id: Id, email: z.string() }).meta({ id: 'Login' }),
  errors: ['invalid_code', 'auth_mode_mismatch'],
  bearsCredential: true,
} as const satisfies Route

/** Who the caller is. */
export const identify = {
  id: 'auth.identify',
  method: 'POST',
  path: '/v1/wallets/identify',
  lane: 'wallet',
  summary: 'Read the logged-in user',
  status: 200,
  data: Identity,
  errors: [],
} as const satisfies Route

/** Ends the caller's token. */
export const logout = {
  id: 'auth.logout',
  method: 'POST',
  path: '/v1/wallets/me/logout',
  lane: 'wallet',
  summary: 'Revoke the token',
  status: 204,
  errors: [],
} as const satisfies Route
