import * as oidc from 'openid-client'
import { type IdentityProvider, IdentityProviderError } from '../ports/identity-provider.ts'
import { type Outbound, OutboundError } from '../ports/outbound.ts'

/** How this platform is known at its identity provider. */
export type OpenIdClient = { issuer: string; clientId: string; clientSecret: string }

const scope = 'openid email profile'

/**
 * The identity provider by `openid-client` (a certified relying party), each of its calls through the outbound guard. The
 * provider's own description is read at the first login and kept while it works; `isPlainHttpAllowed` is for development.
 */
export function identityProviderOpenid(
  { issuer, clientId, clientSecret }: OpenIdClient,
  { outbound, isPlainHttpAllowed }: { outbound: Outbound; isPlainHttpAllowed: boolean },
): IdentityProvider {
  let known: Promise<oidc.Configuration> | undefined

  function configuration(): Promise<oidc.Configuration> {
    known ??= oidc
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        [oidc.customFetch]: guardedFetch(outbound),
        // Non-repudiation: the signature of the ID token is checked although it came straight from the provider.
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(isPlainHttpAllowed ? [oidc.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        known = undefined
        throw new IdentityProviderError('unreachable', error)
      })
    return known
  }

  return {
    async begin(redirectUri) {
      const config = await configuration()
      const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
      const codeVerifier = oidc.randomPKCECodeVerifier()
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, state, nonce, codeVerifier }
    },

    async finish(callbackUrl, { state, nonce, codeVerifier }) {
      const config = await configuration()
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      }
      const tokens = await oidc
        .authorizationCodeGrant(config, new URL(callbackUrl), checks)
        .catch((error: unknown) => {
          throw new IdentityProviderError(
            isOutOfReach(error) ? 'unreachable' : 'refused',
            withoutTokens(error),
          )
        })
      const claims = tokens.claims()
      if (claims === undefined) throw new IdentityProviderError('refused')
      // Many tell the address, or that it is verified, at the user info endpoint alone.
      const isTold = claims['email'] !== undefined && claims['email_verified'] === true
      const told =
        isTold || config.serverMetadata().userinfo_endpoint === undefined
          ? claims
          : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub).catch((error: unknown) => {
              throw new IdentityProviderError(
                isOutOfReach(error) ? 'unreachable' : 'refused',
                withoutTokens(error),
              )
            })
      const { email, email_verified: isVerified, name } = told
      if (typeof email !== 'string' || isVerified !== true)
        throw new IdentityProviderError('no_verified_email')
      return { issuer: claims.iss, subject: claims.sub, email, name: typeof name === 'string' ? name : '' }
    },
  }
}

/** For a development server without a portal login: every login fails. */
export const noIdentityProvider: IdentityProvider = {
  begin: () => Promise.reject(new IdentityProviderError('unreachable')),
  finish: () => Promise.reject(new IdentityProviderError('unreachable')),
}

/** `fetch` as openid-client wants it, through the guard. */
const guardedFetch =
  (outbound: Outbound): oidc.CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await outbound({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body !== undefined && body !== null && { body: Buffer.from(String(body)) }),
    })
    return new Response(answer.status === 204 ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    })
  }

const isOutOfReach = (error: unknown): boolean =>
  error instanceof OutboundError || (error instanceof Error && error.cause instanceof OutboundError)

/** What went wrong, in words: the error's own fields can hold the provider's answer, tokens included. */
function withoutTokens(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return new Error(`${error instanceof Error ? error.name : typeof error} ${code}`.trim())
}
