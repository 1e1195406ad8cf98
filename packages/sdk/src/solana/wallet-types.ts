/** An account of the Wallet Standard. */
export type SolanaAccount = {
  /** Base58. */
  readonly address: string
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  readonly chains: readonly `${string}:${string}`[]
  readonly features: readonly `${string}:${string}`[]
}

/** A wallet of the Wallet Standard, version 1.0.0; structurally what `@wallet-standard/base` calls `Wallet`. */
export type SolanaWallet = {
  readonly version: '1.0.0'
  readonly name: string
  readonly icon: `data:image/${'svg+xml' | 'webp' | 'png' | 'gif'};base64,${string}`
  readonly chains: readonly `${string}:${string}`[]
  readonly features: SolanaFeatures
  readonly accounts: readonly SolanaAccount[]
}

/** The features that apps can call; methods reject with `SymbolonError` or, from a node, `ProviderRpcError`. */
export type SolanaFeatures = {
  readonly 'standard:connect': {
    readonly version: '1.0.0'
    readonly connect: (input?: {
      readonly silent?: boolean
    }) => Promise<{ readonly accounts: readonly SolanaAccount[] }>
  }
  readonly 'standard:disconnect': { readonly version: '1.0.0'; readonly disconnect: () => Promise<void> }
  readonly 'standard:events': {
    readonly version: '1.0.0'
    readonly on: (
      event: 'change',
      listener: (properties: { readonly accounts?: readonly SolanaAccount[] }) => void,
    ) => () => void
  }
  readonly 'solana:signMessage': {
    readonly version: '1.1.0'
    readonly signMessage: (...inputs: readonly MessageInput[]) => Promise<readonly SignedMessage[]>
  }
  readonly 'solana:signTransaction': {
    readonly version: '1.0.0'
    readonly supportedTransactionVersions: readonly ['legacy', 0]
    readonly signTransaction: (
      ...inputs: readonly TransactionInput[]
    ) => Promise<readonly { readonly signedTransaction: Uint8Array }[]>
  }
  readonly 'solana:signIn': {
    readonly version: '1.0.0'
    readonly signIn: (
      ...inputs: readonly SignInInput[]
    ) => Promise<readonly (SignedMessage & { readonly account: SolanaAccount })[]>
  }
  /** Only where `rpcUrls` has a node of Solana. */
  readonly 'solana:signAndSendTransaction'?: {
    readonly version: '1.0.0'
    readonly supportedTransactionVersions: readonly ['legacy', 0]
    readonly signAndSendTransaction: (
      ...inputs: readonly SendInput[]
    ) => Promise<readonly { readonly signature: Uint8Array }[]>
  }
}

/** Bytes to sign as they are. */
export type MessageInput = { readonly account: { readonly address: string }; readonly message: Uint8Array }

/** The signed bytes, and the 64 bytes of the signature. */
export type SignedMessage = { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }

/** A serialized transaction; `chain` defaults to mainnet. */
export type TransactionInput = {
  readonly account: { readonly address: string }
  readonly transaction: Uint8Array
  readonly chain?: string
}

/** A transaction to sign and send, with the options of `sendTransaction`. */
export type SendInput = TransactionInput & {
  readonly chain: string
  readonly options?: {
    readonly preflightCommitment?: string
    readonly minContextSlot?: number
    readonly skipPreflight?: boolean
    readonly maxRetries?: number
  }
}

/** The fields of a sign-in message. */
export type SignInInput = {
  readonly domain?: string
  readonly address?: string
  readonly statement?: string
  readonly uri?: string
  readonly version?: string
  readonly chainId?: string
  readonly nonce?: string
  readonly issuedAt?: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}
