import { frameUrlOf } from '../frame/frame-location.ts'
import { baseAddress, withoutSlash } from '../http/safe-url.ts'
import { flawOf, requireKey, whereKeys } from '../key-problem.ts'

/** How a client reaches its platform. */
export type ClientOptions = {
  /** `pk_live_…`; public. */
  readonly publishableKey: string
  /** Where the platform is, such as `https://wallets.example.com`. */
  readonly baseUrl: string
  /**
   * Where the wallet frame is, such as `https://frame.example.net`: an origin of its own, the only one that this client takes messages from.
   * Without it, it is where the platform says (`GET /v1/frame`); if the platform says another origin, nothing is loaded.
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
  const url = baseAddress(baseUrl)
  if (frameUrl !== undefined && frameUrlOf(frameUrl) === undefined)
    throw new TypeError(
      `frameUrl must be the origin of the wallet frame, with its scheme, such as http://127.0.0.1:27805${flawOf(frameUrl)}`,
    )
  requireKey(publishableKey, {
    wanted: 'publishableKey must be a publishable key (pk_live_…)',
    prefix: 'pk_live_',
    where: whereKeys,
    mistaken: {
      sk_: 'a secret key, which never belongs in a page: rotate it, for it may have been read.',
      as_: 'the token of an agent session, which never belongs in a page: revoke it, for it may have been read.',
    },
  })
  return withoutSlash(url)
}
