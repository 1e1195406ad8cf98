import { emitter } from '../emitter.ts'
import { frame } from '../frame/frame.ts'
import { frameLocation } from '../frame/frame-location.ts'
import { openLink } from '../frame/open-link.ts'
import type { Routes } from '../generated/routes.ts'
import type { Call } from '../http/call.ts'
import { explainUnreachable } from '../http/explain-unreachable.ts'
import { httpCall } from '../http/http-call.ts'
import { failure, type SdkError, success } from '../result.ts'
import { type Sessions, sessions } from '../session/session.ts'
import { memoryTokenStore, sessionTokenStore } from '../session/token-store.ts'
import type { Context } from './context.ts'
import { baseUrlOf, type ClientOptions } from './options.ts'
import type { Ports } from './ports.ts'

/** Builds the shared state of a client: one login, one frame, one way to the API. */
export function createContext(options: ClientOptions, ports: Ports): Context {
  const { publishableKey, storage = 'memory' } = options
  const baseUrl = baseUrlOf(options)
  const isKept = storage === 'session' && ports.sessionStorage !== undefined
  const store = isKept ? sessionTokenStore(ports.sessionStorage, publishableKey) : memoryTokenStore
  const logins = sessions(store, ports.now)
  const origin = ports.document?.location?.origin
  const call = sessionCall(logins, { baseUrl, publishableKey, fetch: ports.fetch, origin })
  const identity = rememberedIdentity(logins, call)
  const wallet = frame({
    token: logins.token,
    open: async () => {
      if (ports.openLink !== undefined) return ports.openLink()
      if (ports.document === undefined)
        return failure('frame_unreachable', 'The wallet can be used in a browser only.')
      const source = { baseUrl, frameUrl: options.frameUrl, publishableKey, fetch: ports.fetch }
      const found = await frameLocation(source)
      return found.error === null ? openLink(ports.document, found.data) : found
    },
  })
  logins.onChange(wallet.follow)

  return {
    call,
    changes: emitter(),
    sessions: logins,
    identity,
    now: ports.now,
    frame: {
      ...wallet,
      async request(method, params, requestOptions) {
        const token = logins.token()
        const result = await wallet.request(method, params, requestOptions)
        endLogin(logins, token, result.error)
        return result
      },
    },
    async mode() {
      const result = await identity()
      return result.error === null ? success(result.data.signing_mode) : result
    },
  }
}

/** Ends the login here too when an answer reports that it is over. */
function endLogin(logins: Sessions, token: string | null, error: SdkError | null): void {
  if (token === null || error === null) return
  if (error.code === 'token_expired') logins.end('expired', token)
  if (error.code === 'token_revoked' || error.code === 'unauthorized') logins.end('ended', token)
}

type Platform = {
  baseUrl: string
  publishableKey: string
  fetch: Ports['fetch']
  /** The page's; undefined outside browsers. */
  origin: string | undefined
}

/** Calls the API with the publishable key and the login's token. */
function sessionCall(logins: Sessions, { baseUrl, publishableKey, fetch, origin }: Platform): Call<Routes> {
  const plainCall = httpCall<Routes>({
    baseUrl,
    fetch,
    explainUnreachable: () => explainUnreachable({ baseUrl, fetch }, origin),
    headers: () => {
      const token = logins.token()
      return {
        'x-service-publishable-key': publishableKey,
        ...(token !== null && { authorization: `Bearer ${token}` }),
      }
    },
  })
  return (async (at: keyof Routes, input: never) => {
    const token = logins.token()
    const result = await plainCall(at, input)
    endLogin(logins, token, result.error)
    return result
  }) as Call<Routes>
}

/** Asks once per login who the user is; a failed answer is asked for again. */
function rememberedIdentity(logins: Sessions, call: Call<Routes>): Context['identity'] {
  let known: { token: string; identity: ReturnType<Context['identity']> } | undefined
  const ask = async (token: string) => {
    const result = await call('POST /v1/wallets/identify', {})
    if (result.error === null) {
      const { user_identity_id: userIdentityId, email } = result.data
      logins.name(token, { userIdentityId, email })
    }
    return result
  }
  return () => {
    const token = logins.token()
    if (token === null) return Promise.resolve(failure('unauthorized', 'Log in first.'))
    if (known?.token === token) return known.identity
    const asking = { token, identity: ask(token) }
    known = asking
    void asking.identity.then(({ error }) => {
      if (error !== null && known === asking) known = undefined
    })
    return asking.identity
  }
}
