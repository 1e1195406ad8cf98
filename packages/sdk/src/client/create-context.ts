import { emitter } from '../emitter.ts'
import { frame } from '../frame/frame.ts'
import { openFrame } from '../frame/open-frame.ts'
import type { Routes } from '../generated/routes.ts'
import type { Call } from '../http/call.ts'
import { explainUnreachable, type Platform } from '../http/explain-unreachable.ts'
import { type HttpCallPorts, httpCall } from '../http/http-call.ts'
import { isObject } from '../json.ts'
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
  const platform = { baseUrl, publishableKey, fetch: ports.fetch }
  const explain = (failed: SdkError) => (ports.isOffline() ? failed : explainUnreachable(platform, failed))
  const told = teller(ports.isOffline)
  const call = sessionCall(logins, { ...platform, explain }, told)
  const identity = rememberedIdentity(logins, call)
  const wallet = frame({
    baseUrl,
    token: logins.token,
    open: async () => {
      if (ports.openLink !== undefined) return ports.openLink()
      if (ports.document === undefined)
        return failure('frame_unreachable', 'The wallet can be used in a browser only.')
      return openFrame(ports.document, { ...platform, explain }, options.frameUrl)
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
      preload: async () => told(await wallet.preload()),
      async request(method, params, requestOptions) {
        const token = logins.token()
        const result = await wallet.request(method, params, requestOptions)
        endLogin(logins, token, result.error)
        return told(result)
      },
    },
    async mode() {
      const result = await identity()
      return result.error === null ? success(result.data.signing_mode) : result
    },
  }
}

/** Ends the login here too when an answer reports that it is over; a refused publishable key says nothing of the login. */
function endLogin(logins: Sessions, token: string | null, error: SdkError | null): void {
  if (token === null || error === null) return
  if (error.code === 'token_expired') logins.end('expired', token)
  if (error.code === 'token_revoked' || isLoginMissing(error)) logins.end('ended', token)
}

const isLoginMissing = ({ code, details }: SdkError): boolean =>
  code === 'unauthorized' && !(isObject(details) && details['credential'] === 'publishable_key')

const loginFirst = 'Log in first.'

type Told = <result extends { readonly error: SdkError | null }>(result: result) => result

/** One code and one text for what calls and the frame each say in their own way. */
function teller(isOffline: () => boolean): Told {
  return (result) => {
    const { error } = result
    if (error?.code === 'session_missing')
      return { data: null, error: { ...error, code: 'unauthorized' } } as never
    if (error?.code !== 'network_failed' || !isOffline()) return result
    return {
      data: null,
      error: { ...error, message: 'You are offline. Connect to a network and try again.' },
    } as never
  }
}

/** Calls the API with the publishable key and the login's token. */
function sessionCall(
  logins: Sessions,
  platform: Platform & Pick<HttpCallPorts, 'explain'>,
  told: Told,
): Call<Routes> {
  const plainCall = httpCall<Routes>({
    ...platform,
    headers: () => {
      const token = logins.token()
      return {
        'x-service-publishable-key': platform.publishableKey,
        ...(token !== null && { authorization: `Bearer ${token}` }),
      }
    },
  })
  return (async (at: keyof Routes, input: never) => {
    const token = logins.token()
    const result = await plainCall(at, input)
    endLogin(logins, token, result.error)
    // The API's message names a missing header, which the SDK sets, not its caller.
    if (token === null && result.error !== null && isLoginMissing(result.error))
      return { data: null, error: { ...result.error, message: loginFirst } }
    return told(result)
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
    if (token === null) return Promise.resolve(failure('unauthorized', loginFirst))
    if (known?.token === token) return known.identity
    const asking = { token, identity: ask(token) }
    known = asking
    void asking.identity.then(({ error }) => {
      if (error !== null && known === asking) known = undefined
    })
    return asking.identity
  }
}
