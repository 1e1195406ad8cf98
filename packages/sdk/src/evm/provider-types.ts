import type { ProviderRpcError } from './provider-error.ts'

/** The events of EIP-1193. */
export type ProviderEvents = {
  connect: { readonly chainId: string }
  disconnect: ProviderRpcError
  chainChanged: string
  accountsChanged: string[]
}

/** An Ethereum provider (EIP-1193); `request` rejects with `ProviderRpcError`. */
export type EthereumProvider = {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  on<name extends keyof ProviderEvents>(
    event: name,
    listener: (value: ProviderEvents[name]) => void,
  ): EthereumProvider
  removeListener<name extends keyof ProviderEvents>(
    event: name,
    listener: (value: ProviderEvents[name]) => void,
  ): EthereumProvider
}

/** How the Ethereum provider behaves. */
export type EthereumOptions = {
  /** The chain handle to begin with; default: the first EVM chain that the platform reaches. */
  readonly chain?: string
  /**
   * The account that the page sees: the `wallet` itself (default), or its `smart_account`, whose gas can be sponsored and
   * which can send several calls as one (`wallet_sendCalls`).
   */
  readonly account?: 'wallet' | 'smart_account'
  /** Logs the user in when a page asks for accounts. Without it, such a request is refused (4100) until someone has logged in. */
  readonly login?: () => Promise<unknown>
}
