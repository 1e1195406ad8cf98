import { type Announcement, announceEthereum, announceSolana } from '../announce/announce.ts'
import { knownCalls } from '../evm/calls/known-calls.ts'
import { ethereum } from '../evm/ethereum.ts'
import type { EthereumOptions, EthereumProvider } from '../evm/provider-types.ts'
import type { FrameCode } from '../frame/frame-code.ts'
import type { Identity } from '../generated/answers.ts'
import type { Result } from '../result.ts'
import { type SolanaOptions, solana } from '../solana/solana.ts'
import type { SolanaWallet } from '../solana/wallet-types.ts'
import { type Auth, auth } from './auth.ts'
import { type Chains, chains } from './chains.ts'
import type { ApiCode } from './context.ts'
import { createContext } from './create-context.ts'
import { type Evm, evm } from './evm.ts'
import type { ClientOptions } from './options.ts'
import type { Ports } from './ports.ts'
import { type Keys, type Recovery, type Share, share } from './share.ts'
import { type Sign, sign } from './sign.ts'
import { type SmartAccounts, smartAccounts } from './smart-accounts.ts'
import { type UserOps, userOps } from './user-ops.ts'
import { type Wallets, wallets } from './wallets.ts'

/** How `announce` shows the wallet to other code of the page. */
export type AnnounceOptions = Announcement & EthereumOptions

/**
 * The wallets of one user on one platform. Every method resolves with `{data, error}` and never rejects. Exceptions are the
 * providers of `ethereum` and `solana`, which follow their standards.
 */
export type Client = {
  readonly auth: Auth
  /** Who is logged in, according to the platform. */
  identify(): Promise<Result<Identity, ApiCode<'POST /v1/wallets/identify'>>>
  readonly wallets: Wallets
  readonly sign: Sign
  readonly evm: Evm
  readonly smartAccounts: SmartAccounts
  readonly userOps: UserOps
  readonly recovery: Recovery
  readonly share: Share
  readonly keys: Keys
  readonly chains: Chains
  /** The wallet as an EIP-1193 provider. */
  ethereum(options?: EthereumOptions): EthereumProvider
  /** The wallet in the form of the Wallet Standard, for Solana. */
  solana(options: SolanaOptions): SolanaWallet
  /** Adds the wallet to the page's wallet lists (EIP-6963, Wallet Standard). Returns the function that removes it. */
  announce(options: AnnounceOptions): () => void
  readonly frame: {
    /** Loads the wallet frame before it is first needed (organizations in client mode). */
    preload(): Promise<Result<null, FrameCode>>
  }
  /** Takes the wallet frame off the page. The login stays. */
  close(): void
}

/** A client over the given ports. */
export function client(options: ClientOptions, ports: Ports): Client {
  const context = createContext(options, ports)
  const signing = sign(context)
  const parts = {
    context,
    wallets: wallets(context),
    sign: signing,
    evm: evm(context, signing),
    smartAccounts: smartAccounts(context),
    userOps: userOps(context, signing),
    chains: chains(context),
    rpcUrls: options.rpcUrls ?? {},
    fetch: ports.fetch,
    knownCalls: knownCalls({
      storage: ports.localStorage,
      locks: ports.locks,
      publishableKey: options.publishableKey,
    }),
  }
  return {
    auth: auth(context),
    identify: context.identity,
    wallets: parts.wallets,
    sign: signing,
    evm: parts.evm,
    smartAccounts: parts.smartAccounts,
    userOps: parts.userOps,
    ...share(context, options.refreshAfterMonths),
    chains: parts.chains,
    ethereum: (ethereumOptions) => ethereum(parts, ethereumOptions),
    solana: (solanaOptions) => solana(parts, solanaOptions),
    announce(announced) {
      if (typeof window === 'undefined') return () => undefined
      const ends = [
        announceEthereum(window, announced, ethereum(parts, announced)),
        announceSolana(window, solana(parts, announced)),
      ]
      return () => {
        for (const end of ends) end()
      }
    },
    frame: { preload: context.frame.preload },
    close: context.frame.close,
  }
}
