import type { Emitter } from '../emitter.ts'
import type { Frame } from '../frame/frame.ts'
import type { FrameCode } from '../frame/frame-code.ts'
import type { Curve, Identity, SigningMode } from '../generated/answers.ts'
import type { Routes } from '../generated/routes.ts'
import type { Call, TransportCode } from '../http/call.ts'
import type { Result } from '../result.ts'
import type { Sessions } from '../session/session.ts'

/** The news of a client: the wallet of a curve that it created, found or changed. */
export type WalletChanges = { readonly wallet: { readonly curve: Curve } }

/** The shared state of the parts of a client. */
export type Context = {
  readonly call: Call<Routes>
  readonly frame: Frame
  readonly sessions: Sessions
  readonly changes: Emitter<WalletChanges>
  /** Who the user is; asked once per token. */
  readonly identity: () => Promise<Result<Identity, ApiCode<'POST /v1/wallets/identify'>>>
  /** Where this organization signs; asked once per token. */
  readonly mode: () => Promise<Result<SigningMode, ApiCode<'POST /v1/wallets/identify'>>>
  readonly now: () => number
}

/** The codes of a call: those of its route, and those of transport failures. */
export type ApiCode<at extends keyof Routes> = Routes[at]['code'] | TransportCode

/** The codes of what goes to the API or, in client mode, to the frame (which hands on the API's). */
export type WalletCode<at extends keyof Routes> =
  | ApiCode<at>
  | ApiCode<'POST /v1/wallets/identify'>
  | FrameCode
