import { backend } from '../adapters/backend.ts'
import type { Signable, Signature } from '../client/signing-types.ts'
import { toSignRequest } from '../client/typed-data.ts'
import type { WalletWithIdentity } from '../generated/backend-answers.ts'
import type { SignRequestFor } from '../generated/backend-requests.ts'
import { given } from '../given.ts'
import type { Call } from '../http/call.ts'
import { explained } from '../http/explained.ts'
import { httpCall } from '../http/http-call.ts'
import { safeUrl } from '../http/safe-url.ts'
import { requireKey, whereKeys } from '../key-problem.ts'
import { type Result, SymbolonError } from '../result.ts'
import { evmAccount } from './evm-account.ts'
import type {
  Answer,
  ReadOptions,
  ServerClient,
  ServerRoutes,
  WalletFilter,
  WriteOptions,
} from './server-client.ts'

/** How a backend connects to its platform. `fetch` replaces the runtime's own, for example to use a proxy or a pool. */
export type ServerClientOptions = {
  /** `sk_live_…`; never in a browser, a log or a repository. */
  readonly secretKey: string
  /** Where the platform is, such as `https://wallets.example.com`; http for loopback only. */
  readonly baseUrl: string
  readonly fetch?: typeof fetch
}

const pageSize = 200

const keyKind = {
  wanted: 'secretKey must be a secret key (sk_live_…)',
  prefix: 'sk_live_',
  where: whereKeys,
  mistaken: {
    pk_: 'a publishable key, which belongs in pages.',
    as_: 'the token of an agent session: createAgentClient takes it.',
  },
}

/**
 * Creates the client for a backend. If a call gets no answer, or 503 or 429 with a `Retry-After`, it is repeated, with three
 * attempts in all; a write takes effect once. Throws `TypeError` on invalid options; the message never contains the key.
 */
export function createServerClient(options: ServerClientOptions): ServerClient {
  const needed = ['secretKey', 'baseUrl'] as const
  const { secretKey, baseUrl, fetch = backend.fetch } = given('createServerClient', options, needed)
  requireKey(secretKey, keyKind)
  const headers = { authorization: `Bearer ${secretKey}` }
  const call = httpCall<ServerRoutes>({ ...explained(safeUrl(baseUrl), fetch), headers: () => headers })
  const on = (walletID: string) => ({ params: { walletID } })
  const sign = (request: Signable<SignRequestFor>, options?: WriteOptions) =>
    call('POST /v1/s2s/sign', {
      ...options,
      body: toSignRequest<SignRequestFor>(request),
    }) as Promise<Answer<'POST /v1/s2s/sign', Signature>>

  return {
    wallets: {
      list: (query = {}, options) => call('GET /v1/s2s/wallets', { ...options, query }),
      each: (filter = {}, options = {}) => eachWallet(call, filter, options),
      get: (walletId, options) => call('GET /v1/s2s/wallets/{walletID}', { ...options, ...on(walletId) }),
      create: (body, options) => call('POST /v1/s2s/wallets', { ...options, body }),
      createBatch: async (wallets, options) =>
        itemsOf(await call('POST /v1/s2s/wallets/batch', { ...options, body: { items: [...wallets] } })),
      archive: (walletId, options) =>
        call('POST /v1/s2s/wallets/{walletID}/archive', { ...options, ...on(walletId) }),
      unarchive: (walletId, options) =>
        call('POST /v1/s2s/wallets/{walletID}/unarchive', { ...options, ...on(walletId) }),
    },
    smartAccounts: {
      list: async (walletId, options) =>
        itemsOf(await call('GET /v1/s2s/wallets/{walletID}/smart-accounts', { ...options, ...on(walletId) })),
      create: (walletId, chain, options) =>
        call('POST /v1/s2s/wallets/{walletID}/smart-accounts', {
          ...options,
          ...on(walletId),
          body: { chain },
        }),
    },
    receipts: {
      list: (query = {}, options) => call('GET /v1/s2s/receipts', { ...options, query }),
    },
    agentSessions: {
      mint: (body, options) => call('POST /v1/s2s/agent-sessions', { ...options, body }),
      list: (query = {}, options) => call('GET /v1/s2s/agent-sessions', { ...options, query }),
      get: (id, options) => call('GET /v1/s2s/agent-sessions/{id}', { ...options, params: { id } }),
      revoke: ({ id, organization_id }, options) =>
        call('POST /v1/orgs/{orgID}/agent-sessions/{sessionID}/revoke', {
          ...options,
          params: { orgID: organization_id, sessionID: id },
        }),
    },
    sign,
    account: ({ walletId, chain }) =>
      evmAccount((request) => sign({ ...request, wallet_id: walletId }), chain),
    chains: async (options) => itemsOf(await call('GET /v1/chains', { ...options })),
  }
}

type Items<item> = { readonly items: item[] }

function itemsOf<item, failed>(
  result: { readonly data: Items<item>; readonly error: null } | failed,
): { readonly data: item[]; readonly error: null } | failed {
  return isSuccess(result) ? { data: result.data.items, error: null } : result
}

function isSuccess<data, failed>(
  result: { readonly data: data; readonly error: null } | failed,
): result is { readonly data: data; readonly error: null } {
  return (result as Result<unknown>).error === null
}

async function* eachWallet(
  call: Call<ServerRoutes>,
  filter: WalletFilter,
  options: ReadOptions,
): AsyncGenerator<WalletWithIdentity, void, undefined> {
  // New wallets push the others onto later pages, where they come again.
  const seen = new Set<string>()
  for (let offset = 0; ; offset += pageSize) {
    const result = await call('GET /v1/s2s/wallets', {
      ...options,
      query: { ...filter, limit: pageSize, offset },
    })
    if (result.error !== null) throw new SymbolonError(result.error)
    for (const wallet of result.data.items) {
      if (seen.has(wallet.id)) continue
      seen.add(wallet.id)
      yield wallet
    }
    if (offset + pageSize >= result.data.total) return
  }
}
