import type { Chains } from '../client/chains.ts'
import type { Context } from '../client/context.ts'
import type { Evm } from '../client/evm.ts'
import type { Sign } from '../client/sign.ts'
import type { SmartAccounts } from '../client/smart-accounts.ts'
import type { UserOps } from '../client/user-ops.ts'
import type { Wallets } from '../client/wallets.ts'
import { emitter } from '../emitter.ts'
import { accounts } from './accounts.ts'
import { calls } from './calls.ts'
import { evmChains } from './evm-chains.ts'
import { forward } from './forward.ts'
import { type Methods, methods } from './methods.ts'
import { invalidParams, ProviderRpcError, providerCodes, unsupported } from './provider-error.ts'
import type { EthereumOptions, EthereumProvider, ProviderEvents } from './provider-types.ts'
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
}

/** Names of reads; what is not one of them and not ours is refused. */
const read = /^(?:eth|net|web3|debug|trace|txpool)_[a-zA-Z0-9_]+$/

/**
 * An Ethereum provider (EIP-1193) over the user's wallet, as viem's `custom`, ethers and wagmi take it. Reads go to
 * `rpcUrls`; `disconnect` (CloseEvent code 1013) tells that platform or node were out of reach, `connect` that they are back.
 */
export function ethereum(parts: EthereumParts, options: EthereumOptions = {}): EthereumProvider {
  const { context, wallets, smartAccounts } = parts
  const events = emitter<ProviderEvents>()
  const known = evmChains(parts.chains, options.chain)
  const nodes = forward(parts.rpcUrls, parts.fetch)
  const mine = accounts({ sessions: context.sessions, wallets, smartAccounts, chains: known }, options)
  const serve: Methods = methods({
    account: options.account ?? 'wallet',
    accounts: mine,
    chains: known,
    sign: parts.sign,
    transactions: walletTransactions(parts.evm, parts.sign, nodes),
    calls: calls({ userOps: parts.userOps, smartAccounts, chains: known, forward: nodes, own: mine.own }),
    announceAccounts: tellAccounts,
    announceChain: (chainId) => events.emit('chainChanged', chainId),
  })
  let isConnected = false
  let told = ''

  function tellAccounts(addresses: readonly string[]) {
    if (addresses.join() === told) return
    told = addresses.join()
    events.emit('accountsChanged', [...addresses])
  }
  context.sessions.onChange(({ status }) => {
    if (status === 'signed_out') tellAccounts([])
    else if (events.has('accountsChanged')) void mine.current().then(tellAccounts, () => undefined)
  })

  async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
    const own = Object.hasOwn(serve, method) ? serve[method] : undefined
    if (own !== undefined) return own(params)
    if (!read.test(method) || /sign/i.test(method)) throw unsupported(method)
    return nodes.call((await known.current()).handle, method, params)
  }
  async function noteConnection(error: unknown) {
    const isLost = error instanceof ProviderRpcError && error.code === providerCodes.disconnected
    if (isLost && isConnected) {
      isConnected = false
      events.emit('disconnect', new ProviderRpcError(1013, 'The platform is out of reach. Try again later.'))
    }
    if (error === undefined && !isConnected) {
      isConnected = true
      const chain = await known.current().catch(() => undefined)
      if (chain !== undefined) events.emit('connect', { chainId: chain.chainId })
    }
  }

  const provider: EthereumProvider = {
    async request({ method, params }) {
      if (typeof method !== 'string') throw invalidParams('The method is missing.')
      try {
        const result = await answer(
          method,
          Array.isArray(params) ? params : params === undefined ? [] : [params],
        )
        void noteConnection(undefined)
        return result
      } catch (error) {
        void noteConnection(error)
        throw error
      }
    },
    on(event, listener) {
      events.on(event, listener)
      return provider
    },
    removeListener(event, listener) {
      events.off(event, listener)
      return provider
    },
  }
  return provider
}
