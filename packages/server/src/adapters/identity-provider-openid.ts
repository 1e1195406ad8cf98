import * as oidc from 'openid-client'
import {
  type IdentityProvider,
  IdentityProviderError,
  type LoginStart,
  type ProvenPerson,
} from '../ports/identity-provider.ts'
import { type Outbound, OutboundError } from '../ports/outbound.ts'

/** The platform's registration at its identity provider. */
export type OpenIdClient = { issuer: string; clientId: string; clientSecret: string }

const scope = 'openid email profile'

/**
 * The identity provider through `openid-client` (a certified relying party); all calls pass the outbound guard. The provider's
 * metadata is read at the first login, and again only if that fails; `isPlainHttpAllowed` is for development.
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
        // Checks the signature of the ID token, although it comes straight from the provider.
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
    begin: async (redirectUri) => beginLogin(await configuration(), redirectUri),
    finish: async (callbackUrl, login) => {
      const config = await configuration()
      return personOf(config, await exchangeCode(config, callbackUrl, login))
    },
  }
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>

async function beginLogin(config: oidc.Configuration, redirectUri: string): Promise<LoginStart> {
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
}

const exchangeCode = (
  config: oidc.Configuration,
  callbackUrl: string,
  { state, nonce, codeVerifier }: Omit<LoginStart, 'url'>,
): Promise<Tokens> =>
  oidc
    .authorizationCodeGrant(config, new URL(callbackUrl), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    .catch(rethrow)

/** The person behind the tokens, with a verified email. */
async function personOf(config: oidc.Configuration, tokens: Tokens): Promise<ProvenPerson> {
  const claims = tokens.claims()
  if (claims === undefined) throw new IdentityProviderError('refused')
  // Many providers give the address, or whether it is verified, only at the user info endpoint.
  const isComplete = claims['email'] !== undefined && claims['email_verified'] === true
  const facts =
    isComplete || config.serverMetadata().userinfo_endpoint === undefined
      ? claims
      : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub).catch(rethrow)
  const { email, email_verified: isVerified, name } = facts
  if (typeof email !== 'string' || isVerified !== true) throw new IdentityProviderError('no_verified_email')
  return { issuer: claims.iss, subject: claims.sub, email, name: typeof name === 'string' ? name : '' }
}

function rethrow(error: unknown): never {
  throw new IdentityProviderError(isOutOfReach(error) ? 'unreachable' : 'refused', withoutTokens(error))
}

/** For a development server without a portal login: every login fails. */
export const noIdentityProvider: IdentityProvider = {
  begin: () => Promise.reject(new IdentityProviderError('unreachable')),
  finish: () => Promise.reject(new IdentityProviderError('unreachable')),
}

/** The `fetch` of openid-client, through the guard. */
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

/** The error without its fields, which can hold the provider's answer, tokens included. */
function withoutTokens(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return new Error(`${error instanceof Error ? error.name : typeof error} ${code}`.trim())
}
