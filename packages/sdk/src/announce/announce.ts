import type { EthereumProvider } from '../evm/provider-types.ts'
import type { SolanaWallet } from '../solana/wallet-types.ts'

/** How the wallet shows up in the wallet lists of pages. */
export type Announcement = {
  readonly name: string
  /** A data URI (RFC 2397): PNG, SVG, WebP or GIF, square, 96 x 96 or larger. */
  readonly icon: `data:image/${'svg+xml' | 'webp' | 'png' | 'gif'};base64,${string}`
  /** A reverse domain name of yours, such as `com.example.wallet`; the same on every page. */
  readonly rdns: string
}

/** Announces an Ethereum provider through EIP-6963, now and whenever a page asks. Returns the function that stops it. */
export function announceEthereum(
  target: EventTarget,
  { name, icon, rdns }: Announcement,
  provider: EthereumProvider,
): () => void {
  const info = Object.freeze({ uuid: randomUuid(), name, icon, rdns })
  const announceWallet = () =>
    target.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
    )
  target.addEventListener('eip6963:requestProvider', announceWallet)
  announceWallet()
  return () => target.removeEventListener('eip6963:requestProvider', announceWallet)
}

type Register = (...wallets: SolanaWallet[]) => () => void
type AppReady = Event & { readonly detail: { readonly register: Register } }

/** Registers a wallet through the Wallet Standard, with present and future apps. Returns the function that unregisters it. */
export function announceSolana(target: EventTarget, wallet: SolanaWallet): () => void {
  const unregisters: (() => void)[] = []
  const registerWith = ({ register }: { readonly register: Register }) => {
    unregisters.push(register(wallet))
  }
  const onReady = (event: Event) => registerWith((event as AppReady).detail)
  target.addEventListener('wallet-standard:app-ready', onReady)
  target.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: registerWith }))
  return () => {
    target.removeEventListener('wallet-standard:app-ready', onReady)
    for (const unregister of unregisters.splice(0)) unregister()
  }
}

/** Version 4 of RFC 9562; `crypto.randomUUID` is missing on plain http. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
