import { backend } from '../adapters/backend.ts'
import type { SignableRequest, Signature, Signing } from '../client/signing-types.ts'
import { toSignRequest } from '../client/typed-data.ts'
import type { SentAgentTransaction } from '../generated/agent-answers.ts'
import type { SendAgentTransaction } from '../generated/agent-requests.ts'
import type { AgentRoutes } from '../generated/agent-routes.ts'
import type { PolicyDecision, SignResponse } from '../generated/answers.ts'
import type { AgentSession } from '../generated/backend-answers.ts'
import type { SignRequest } from '../generated/requests.ts'
import { given } from '../given.ts'
import type { TransportCode } from '../http/call.ts'
import { explained } from '../http/explained.ts'
import { httpCall } from '../http/http-call.ts'
import { safeUrl } from '../http/safe-url.ts'
import { requireKey } from '../key-problem.ts'
import { failure, type Result, success } from '../result.ts'
import { type EvmAccount, evmAccount } from '../server/evm-account.ts'
import type { ReadOptions, WriteOptions } from '../server/server-client.ts'

/** The result of an agent's call. */
export type AgentAnswer<at extends keyof AgentRoutes, data = AgentRoutes[at]['data']> = Result<
  data,
  AgentRoutes[at]['code'] | TransportCode
>

/** The calls of an agent with its token. They never reject; a refusal by policy is `policy_violation` (see `violationOf`). */
export type AgentClient = {
  /** The session of this token: its effective policy, and the spent, reserved and remaining budget. */
  session(options?: ReadOptions): Promise<AgentAnswer<'GET /v1/agents/me', AgentSession>>
  /** Signs. Asking again for the same bytes costs the budget nothing twice. */
  sign(
    request: Signing<SignableRequest>,
    options?: WriteOptions,
  ): Promise<AgentAnswer<'POST /v1/agents/me/sign', Signature>>
  sign(
    request: SignableRequest,
    options?: WriteOptions,
  ): Promise<AgentAnswer<'POST /v1/agents/me/sign', SignResponse>>
  /** The whole evaluation of a request, in its order, without signing or spending; leaves no event. */
  check(
    request: SignableRequest,
    options?: ReadOptions,
  ): Promise<AgentAnswer<'POST /v1/agents/me/sign', PolicyDecision>>
  /** The wallet on an EVM chain as an account for viem, x402 and their like; what it signs passes the same policy. */
  account(options: { readonly chain: string }): Promise<AgentAnswer<'POST /v1/agents/me/sign', EvmAccount>>
  /**
   * Prepares, signs and sends a transaction of an EVM chain. One call is one transaction: a lost answer is asked for again under
   * the call's idempotency key, never paid twice.
   */
  send(
    transaction: SendAgentTransaction,
    options?: WriteOptions,
  ): Promise<AgentAnswer<'POST /v1/agents/me/transactions', SentAgentTransaction>>
}

/** How an agent connects to its platform. `fetch` replaces the runtime's own, for example to use a proxy or a pool. */
export type AgentClientOptions = {
  /** `as_live_…`: all that an agent holds. */
  readonly token: string
  /** Where the platform is, such as `https://wallets.example.com`; http for loopback only. */
  readonly baseUrl: string
  readonly fetch?: typeof fetch
}

const tokenKind = {
  wanted: 'token must be an agent session token (as_live_…)',
  prefix: 'as_live_',
  where: 'Mint one in the portal, under Agent sessions, or with your backend.',
  mistaken: {
    sk_: 'a secret key, which an agent must never have: createServerClient takes it.',
    pk_: 'a publishable key, which belongs in pages.',
    ac_: 'a delegation, which one agent gives another for one call.',
  },
}

/**
 * Creates the client for an agent. If a call gets no answer, or 503 with a `Retry-After`, it is repeated, with three attempts in all; a
 * 429 with a `Retry-After` of up to 10 s is waited out. A write takes effect once. Throws `TypeError` on invalid options; the message never contains the token.
 */
export function createAgentClient(options: AgentClientOptions): AgentClient {
  const needed = ['token', 'baseUrl'] as const
  const { token, baseUrl, fetch = backend.fetch } = given('createAgentClient', options, needed)
  requireKey(token, tokenKind)
  const headers = { authorization: `Bearer ${token}` }
  const call = httpCall<AgentRoutes>({ ...explained(safeUrl(baseUrl), fetch), headers: () => headers })
  const sign = (request: SignableRequest, options?: WriteOptions) =>
    call('POST /v1/agents/me/sign', { ...options, body: toSignRequest<SignRequest>(request) }) as Promise<
      AgentAnswer<'POST /v1/agents/me/sign', Signature>
    >

  return {
    session: (options) => call('GET /v1/agents/me', { ...options }),
    sign,
    account: ({ chain }) => evmAccount(sign, chain),
    async check(request, options) {
      const { data, error } = await call('POST /v1/agents/me/sign', {
        ...options,
        body: { ...toSignRequest<SignRequest>(request), dry_run: true },
      })
      if (error !== null) return { data: null, error }
      return data.decision === undefined
        ? failure('invalid_answer', 'The platform returned no decision.')
        : success(data.decision)
    },
    send: (body, options) => call('POST /v1/agents/me/transactions', { ...options, body }),
  }
}
