import type { Link } from '../frame/connection.ts'
import type { FrameCode } from '../frame/frame-code.ts'
import type { Result } from '../result.ts'

/** The ports of a client; `adapters/browser.ts` takes them from the browser. */
export type Ports = {
  readonly fetch: typeof fetch
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined
  /** Where the calls that were sent are kept over reloads. */
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem'> | undefined
  readonly locks: Pick<LockManager, 'request' | 'query'> | undefined
  /** The browser knows that it has no network. */
  readonly isOffline: () => boolean
  /** Where the wallet frame is put; absent outside browsers. */
  readonly document: Document | undefined
  /** Brings a greeted frame in another way than by an element of `document`. */
  readonly openLink?: () => Promise<Result<Link, FrameCode>>
}
