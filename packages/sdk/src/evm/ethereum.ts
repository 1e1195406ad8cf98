import { turnLine } from '@symbolon/iframe/turn-line'
import type { Chains } from '../client/chains.ts'
import type { Context } from '../client/context.ts'
import type { Evm } from '../client/evm.ts'
import type { Sign } from '../client/sign.ts'
import type { SmartAccounts } from '../client/smart-accounts.ts'
import type { UserOps } from '../client/user-ops.ts'
import type { Wallets } from '../client/wallets.ts'
import { type Emitter, emitter } from '../emitter.ts'
import { accounts } from './accounts.ts'
import type { KnownCalls } from './calls/known-calls.ts'
import { type EvmChains, evmChains } from './evm-chains.ts'
import { type Forward, forward } from './forward.ts'
import { type MethodsCtx, methods } from './methods.ts'
import { invalidParams, ProviderRpcError, providerCodes, unsupported } from './provider-error.ts'
import type { EthereumOptions, EthereumProvider, ProviderCall, ProviderEvents } from './provider-types.ts'
import { walletTransactions } from './wallet-transactions.ts'

/** The parts of a client that the provider is made of. */
export type EthereumParts = {
  readonly context: Context
  readonly wallets: Wallets
  readonly sign: Sign
  readonly evm: Evm
  readonly smartAccounts: SmartAccounts
  readonly userOps: UserOps
  readonly chains: Chains
  readonly rpcUrls: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  readonly knownCalls: KnownCalls
}

const lineFull = 'Too many requests are waiting. Send more once some are answered.'

/** Names of reads; any other method that is not ours is refused. */
const read = /^(?:eth|net|web3|debug|trace|txpool)_[a-zA-Z0-9_]+$/

/**
 * An Ethereum provider (EIP-1193) over the user's wallet, for viem's `custom`, ethers and wagmi. Reads go to `rpcUrls`;
 * `disconnect` (CloseEvent code 1013) reports that the platform or node cannot be reached, `connect` that it is back.
 */
export function ethereum(parts: EthereumParts, options: EthereumOptions = {}): EthereumProvider {
  const { context, wallets, smartAccounts, userOps } = parts
  const events = emitter<ProviderEvents>()
  const chains = evmChains(parts.chains, options.chain)
  const nodes = forward(parts.rpcUrls, parts.fetch)
  const mine = accounts({ sessions: context.sessions, wallets, smartAccounts, chains }, options)
  const announceAccounts = accountAnnouncer(events)
  const isSmart = options.account === 'smart_account'
  const transactions = walletTransactions(parts, nodes)
  const inTurn = turnLine(() => new ProviderRpcError(providerCodes.resourceUnavailable, lineFull))
  const ctx: MethodsCtx = {
    isSmart,
    accounts: mine,
    chains,
    sign: parts.sign,
    transactions,
    calls: {
      ...{ isSmart, own: mine.own, context, transactions, inTurn },
      ...{ userOps, smartAccounts, chains, forward: nodes, known: parts.knownCalls },
    },
    inTurn,
    announce: { accounts: announceAccounts, chain: (chainId) => events.emit('chainChanged', chainId) },
  }
  const noteConnection = connectionNotes(events, chains)

  context.sessions.onChange(({ status }) => {
    if (status === 'signed_out') announceAccounts([])
    else if (events.has('accountsChanged')) void mine.current().then(announceAccounts, () => undefined)
  })

  const provider: EthereumProvider = {
    async request<result>({ method, params }: ProviderCall): Promise<result> {
      if (typeof method !== 'string') throw invalidParams('The method is missing.')
      try {
        const list = Array.isArray(params) ? params : params === undefined ? [] : [params]
        // Which result belongs to which method is the caller's knowledge, as in viem's own provider type.
        const result = (await serve(ctx, nodes, method, list)) as result
        void noteConnection(undefined)
        return result
      } catch (error) {
        void noteConnection(error)
        throw error
      }
    },
    on(event: keyof ProviderEvents, listener: (value: never) => void) {
      events.on(event, listener as () => void)
      return provider
    },
    removeListener(event: keyof ProviderEvents, listener: (value: never) => void) {
      events.off(event, listener as () => void)
      return provider
    },
  }
  return provider
}

/** Serves a method itself, or passes a read on to the chain's node. */
async function serve(
  ctx: MethodsCtx,
  nodes: Forward,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const own = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (own !== undefined) return own(ctx, params, method)
  if (/^eth_sign/.test(method))
    throw unsupported(method, `use ${/Typed/.test(method) ? 'eth_signTypedData_v4' : 'personal_sign'}`)
  if (!read.test(method) || /sign/i.test(method)) throw unsupported(method)
  return nodes.call((await ctx.chains.current()).handle, method, params)
}

/** Emits `accountsChanged` where the accounts are not those of the last time. */
function accountAnnouncer(events: Emitter<ProviderEvents>): (addresses: readonly string[]) => void {
  let announced = ''
  return (addresses) => {
    if (addresses.join() === announced) return
    announced = addresses.join()
    events.emit('accountsChanged', [...addresses] as `0x${string}`[])
  }
}

/** Emits `connect` and `disconnect` from the outcome of each request: its error, or undefined. */
function connectionNotes(events: Emitter<ProviderEvents>, chains: EvmChains) {
  let isConnected = false
  return async (error: unknown): Promise<void> => {
    const isLost = error instanceof ProviderRpcError && error.code === providerCodes.disconnected
    if (isLost && isConnected) {
      isConnected = false
      events.emit(
        'disconnect',
        new ProviderRpcError(1013, 'The platform cannot be reached. Try again later.'),
      )
    }
    if (error === undefined && !isConnected) {
      isConnected = true
      const chain = await chains.current().catch(() => undefined)
      if (chain !== undefined) events.emit('connect', { chainId: chain.chainId })
    }
  }
}
