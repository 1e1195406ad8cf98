import { frameUrlOf } from '../frame/frame-location.ts'

/** How a client reaches its platform. */
export type ClientOptions = {
  /** `pk_live_…`; public. */
  readonly publishableKey: string
  /** Where the platform is, such as `https://wallets.example.com`. */
  readonly baseUrl: string
  /**
   * Where the wallet frame is, such as `https://frame.example.net`: an origin of its own, the only one that this client takes messages from.
   * Without it, the client asks the platform (`GET /v1/frame`).
   */
  readonly frameUrl?: string
  /** Nodes for calls that the platform does not serve (reads of the Ethereum provider, sending on Solana), by chain handle. */
  readonly rpcUrls?: Readonly<Record<string, string>>
  /**
   * Where the login token is kept: `memory` (default) ends with the page, and code that reads storage cannot reach it;
   * `session` survives a reload in the same tab.
   */
  readonly storage?: 'memory' | 'session'
  /** After how many months `share.refreshIfDue` replaces the shares. Without it never. */
  readonly refreshAfterMonths?: number
}

/** The base URL without a trailing slash. Throws `TypeError` if it is invalid. */
export function baseUrlOf({ baseUrl, frameUrl, publishableKey }: ClientOptions): string {
  if (frameUrlOf(baseUrl) === undefined) throw new TypeError('baseUrl must be an https URL')
  if (frameUrl !== undefined && frameUrlOf(frameUrl) === undefined)
    throw new TypeError('frameUrl must be an https URL')
  const url = new URL(baseUrl)
  if (!/^pk_live_[0-9A-Za-z]{49}$/.test(publishableKey))
    throw new TypeError('publishableKey must be a full pk_live_… key, never a secret key')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
