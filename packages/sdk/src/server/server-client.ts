import type { Signable, Signature, Signing } from '../client/signing-types.ts'
import type { Chains, ReceiptPage, SignResponse, SmartAccount } from '../generated/answers.ts'
import type {
  AgentSession,
  AgentSessionPage,
  BatchResults,
  MintedAgentSession,
  WalletPage,
  WalletWithIdentity,
} from '../generated/backend-answers.ts'
import type { CreateWalletFor, MintAgentSession, SignRequestFor } from '../generated/backend-requests.ts'
import type { BackendRoutes } from '../generated/backend-routes.ts'
import type { Routes } from '../generated/routes.ts'
import type { TransportCode } from '../http/call.ts'
import type { Result } from '../result.ts'
import type { EvmAccount } from './evm-account.ts'

/** The routes that a secret key opens. */
export type ServerRoutes = BackendRoutes & Pick<Routes, 'GET /v1/chains'>

/** The result of a route's call. */
export type Answer<at extends keyof ServerRoutes, data = ServerRoutes[at]['data']> = Result<
  data,
  ServerRoutes[at]['code'] | TransportCode
>

/** The filters of a list of wallets. */
export type WalletFilter = Omit<NonNullable<ServerRoutes['GET /v1/s2s/wallets']['query']>, 'limit' | 'offset'>

/** `signal` stops waiting and returns `cancelled`; `limitMs` is the longest wait for one answer, 60 s by default. */
export type ReadOptions = { readonly signal?: AbortSignal; readonly limitMs?: number }

/**
 * `idempotencyKey` (255 characters at most): a call with a key that was used within 24 h has no second effect and returns the
 * answer to the first one. Without a key, each call gets its own, under which it is repeated if its answer is lost.
 */
export type WriteOptions = ReadOptions & { readonly idempotencyKey?: string }

/** A backend's view of its organization. Only `wallets.each` can reject; see `Result`. */
export type ServerClient = {
  readonly wallets: {
    /** One page, newest first. */
    list(
      query?: WalletFilter & { readonly limit?: number; readonly offset?: number },
      options?: ReadOptions,
    ): Promise<Answer<'GET /v1/s2s/wallets', WalletPage>>
    /**
     * Every wallet, newest first, page by page as they are asked for. One that is made meanwhile may be left out, none
     * comes twice. Throws `SymbolonError` where a page fails.
     */
    each(filter?: WalletFilter, options?: ReadOptions): AsyncGenerator<WalletWithIdentity, void, undefined>
    get(
      walletId: string,
      options?: ReadOptions,
    ): Promise<Answer<'GET /v1/s2s/wallets/{walletID}', WalletWithIdentity>>
    /** Creates a user's wallet, also before the first login. `wallet_exists` has the existing one in `data`. TEE mode only. */
    create(
      wallet: CreateWalletFor,
      options?: WriteOptions,
    ): Promise<Answer<'POST /v1/s2s/wallets', WalletWithIdentity>>
    /** Creates up to 100 wallets; each succeeds or fails by itself, in the order given. TEE mode only. */
    createBatch(
      wallets: readonly CreateWalletFor[],
      options?: WriteOptions,
    ): Promise<Answer<'POST /v1/s2s/wallets/batch', BatchResults['items']>>
    /** Stops a wallet from signing; again: the same. */
    archive(
      walletId: string,
      options?: WriteOptions,
    ): Promise<Answer<'POST /v1/s2s/wallets/{walletID}/archive', null>>
    unarchive(
      walletId: string,
      options?: WriteOptions,
    ): Promise<Answer<'POST /v1/s2s/wallets/{walletID}/unarchive', null>>
  }
  readonly smartAccounts: {
    list(
      walletId: string,
      options?: ReadOptions,
    ): Promise<Answer<'GET /v1/s2s/wallets/{walletID}/smart-accounts', SmartAccount[]>>
    /** Provisions the account of an EVM chain; again: the same one. */
    create(
      walletId: string,
      chain: string,
      options?: WriteOptions,
    ): Promise<Answer<'POST /v1/s2s/wallets/{walletID}/smart-accounts', SmartAccount>>
  }
  readonly agentSessions: {
    /**
     * Mints a token for an agent, under limits; limits lowered by the organization or the agent are in `clipped`. The token is
     * in the answer this once, so that a repeat under the same key is `idempotency_key_spent`.
     */
    mint(
      session: MintAgentSession,
      options?: WriteOptions,
    ): Promise<Answer<'POST /v1/s2s/agent-sessions', MintedAgentSession>>
    /** One page, newest first. */
    list(
      query?: NonNullable<ServerRoutes['GET /v1/s2s/agent-sessions']['query']>,
      options?: ReadOptions,
    ): Promise<Answer<'GET /v1/s2s/agent-sessions', AgentSessionPage>>
    get(id: string, options?: ReadOptions): Promise<Answer<'GET /v1/s2s/agent-sessions/{id}', AgentSession>>
    /** Ends a session: once this has resolved, nothing is signed for it. Again: the same. */
    revoke(
      session: Pick<AgentSession, 'id' | 'organization_id'>,
      options?: WriteOptions,
    ): Promise<Answer<'POST /v1/orgs/{orgID}/agent-sessions/{sessionID}/revoke', AgentSession>>
  }
  /** Signs with a wallet. TEE mode only. With `receipt: true` the answer has the enclave's receipt. */
  sign(
    request: Signing<Signable<SignRequestFor>>,
    options?: WriteOptions,
  ): Promise<Answer<'POST /v1/s2s/sign', Signature>>
  sign(
    request: Signable<SignRequestFor>,
    options?: WriteOptions,
  ): Promise<Answer<'POST /v1/s2s/sign', SignResponse>>
  readonly receipts: {
    /** One page, oldest first: what the enclave signed with a receipt. Go on with `after: last` while `has_more`. */
    list(
      query?: NonNullable<ServerRoutes['GET /v1/s2s/receipts']['query']>,
      options?: ReadOptions,
    ): Promise<Answer<'GET /v1/s2s/receipts', ReceiptPage>>
  }
  /** A wallet on an EVM chain as an account for viem, x402 and their like. TEE mode only. */
  account(wallet: {
    readonly walletId: string
    readonly chain: string
  }): Promise<Answer<'POST /v1/s2s/sign', EvmAccount>>
  /** Every chain handle with its meaning. */
  chains(options?: ReadOptions): Promise<Answer<'GET /v1/chains', Chains['items']>>
}
