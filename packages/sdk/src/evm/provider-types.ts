import type { ProviderRpcError } from './provider-error.ts'

/** The events of EIP-1193. `message` is in its list; this provider emits none. */
export type ProviderEvents = {
  connect: { readonly chainId: string }
  disconnect: ProviderRpcError
  chainChanged: string
  accountsChanged: `0x${string}`[]
  message: { readonly type: string; readonly data: unknown }
}

/** One request to the provider. */
export type ProviderCall = { readonly method: string; readonly params?: unknown }

/** Adds or removes a listener; the second form is the one that viem's and wagmi's types can be compared with. */
type Listening = {
  <name extends keyof ProviderEvents>(
    event: name,
    listener: (value: ProviderEvents[name]) => void,
  ): EthereumProvider
  (event: keyof ProviderEvents, listener: (value: never) => void): EthereumProvider
}

/** An Ethereum provider (EIP-1193), as viem's `EIP1193Provider` has it; `request` rejects with `ProviderRpcError`. */
export type EthereumProvider = {
  request<result = unknown>(call: ProviderCall): Promise<result>
  readonly on: Listening
  readonly removeListener: Listening
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
