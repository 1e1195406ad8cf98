import type { ApiClient } from '../api/api-client.ts'
import type { DeviceNotes } from '../device/device-notes.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import type { StripText } from '../dialogs/strip.ts'
import { FrameFailure } from '../frame-failure.ts'
import type { Random } from '../keys/random.ts'
import type { Curve, FrameConfig } from '../protocol/messages.ts'
import type { DeviceShares } from '../shares/device-shares.ts'
import type { AgreedCalls } from './agreed-calls.ts'
import type { UserSession } from './user-session.ts'

/** What every method works with: one page, one organization, at most one logged-in user. */
export type Vault = {
  readonly organization: FrameConfig['organization']
  /** The enclave that a key may be sealed to; absent in client mode. */
  readonly enclave?: FrameConfig['enclave']
  /** As the browser named it. */
  readonly pageOrigin: string
  readonly api: ApiClient
  /** The `client_nonce` of this browser: never the page's to know. */
  readonly device: string
  readonly shares: DeviceShares
  readonly dialogs: Dialogs
  /** The calls that the logged-in user has agreed to. */
  readonly agreed: AgreedCalls
  /** Shows a text at the edge of the page for a while; it asks nothing. */
  say(text: StripText): void
  readonly random: Random
  /** Unix time in ms. */
  nowMs(): number
  readonly notes: DeviceNotes
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs while no other tab runs something of that name. */
  exclusive<value>(name: string, run: () => Promise<value>): Promise<value>
  /** Compiles the signing code of a curve while the provider share is on its way; once. */
  warmUp(curve: Curve): void
  /** The logged-in user; without one `session_missing`. */
  user(): UserSession
}

/** Refuses (`signing_mode_mismatch`) what only a browser that holds a share can do. */
export function requireClientMode({ organization }: Vault): void {
  if (organization.signing_mode !== 'client') throw new FrameFailure('signing_mode_mismatch')
}
