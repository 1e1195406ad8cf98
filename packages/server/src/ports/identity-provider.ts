/** A login on its way: where the browser goes, and what its return is checked against. */
export type LoginStart = { url: string; state: string; nonce: string; codeVerifier: string }

/** Who the identity provider vouches for. `email` is one it says it has verified. */
export type ProvenPerson = { issuer: string; subject: string; email: string; name: string }

/** Why a login did not come about; the message may be shown. */
export type IdentityProviderErrorCode = 'unreachable' | 'refused' | 'no_verified_email'

const messages: Record<IdentityProviderErrorCode, string> = {
  unreachable: 'The identity provider does not answer. Try again.',
  refused: 'The identity provider did not confirm this login.',
  no_verified_email: 'The identity provider did not send a verified email address.',
}

/** Thrown when a login cannot be begun or finished. */
export class IdentityProviderError extends Error {
  override readonly name = 'IdentityProviderError'
  readonly code: IdentityProviderErrorCode

  constructor(code: IdentityProviderErrorCode, cause?: unknown) {
    super(messages[code], { cause })
    this.code = code
  }
}

/**
 * The OpenID Connect provider that portal users log in at: authorization code with PKCE, state and nonce. Both calls throw
 * `IdentityProviderError`.
 */
export type IdentityProvider = {
  begin(redirectUri: string): Promise<LoginStart>
  /** `callbackUrl` is the whole address that the browser came back to. */
  finish(callbackUrl: string, start: Omit<LoginStart, 'url'>): Promise<ProvenPerson>
}
