/**
 * Every message between a page and the wallet frame it embeds. The page opens the talk with one `ConnectMessage` by
 * `postMessage` to the frame's exact origin, transferring a `MessagePort`; all that follows goes over that port, which
 * nobody else holds. Structured clones of plain JSON values, `messageBytesMax` at most when written as JSON.
 */

/** The only version spoken; a frame answers another one with the error `unsupported_version`. */
export const protocolVersion = 1

/** The largest message, in UTF-8 bytes of its JSON. */
export const messageBytesMax = 262_144

/** Page to frame, by `window.postMessage`, with exactly one transferred port. `nonce`: 16 random bytes in base64url. */
export type ConnectMessage = {
  readonly type: 'symbolon:connect'
  readonly version: number
  readonly nonce: string
}

/** Frame to page, first on the port: echoes the page's nonce and names the `session` that every later message carries. */
export type ConnectedMessage = {
  readonly type: 'connected'
  readonly version: typeof protocolVersion
  readonly nonce: string
  readonly session: string
}

/** Frame to page instead of `connected`. */
export type RefusedMessage = {
  readonly type: 'refused'
  readonly code: 'unsupported_version' | 'invalid_publishable_key'
}

/** Page to frame. `id` rises strictly within a session: an id that is not above the last one is a replay and dropped. */
export type RequestMessage<name extends MethodName = MethodName> = {
  readonly type: 'request'
  readonly session: string
  readonly id: number
  readonly method: name
  readonly params: MethodParams<name>
}

/** Page to frame: the page no longer waits for the answer; an open dialog of that request closes. */
export type CancelMessage = { readonly type: 'cancel'; readonly session: string; readonly id: number }

/** Frame to page: the outcome of a request. */
export type AnswerMessage =
  | { readonly type: 'answer'; readonly session: string; readonly id: number; readonly result: unknown }
  | { readonly type: 'answer'; readonly session: string; readonly id: number; readonly error: FrameError }

/** Frame to page: the frame has something to show over the page (`open`), or no more. */
export type DialogMessage = { readonly type: 'dialog'; readonly session: string; readonly open: boolean }

/**
 * Frame to page: the frame has a text to show at the edge of the page (`open`), or no more. It asks nothing: the page stays usable.
 * A page that does not know this message shows nothing.
 */
export type StripMessage = { readonly type: 'strip'; readonly session: string; readonly open: boolean }

/** Any message of the page over the port. */
export type PageMessage = RequestMessage | CancelMessage

/** Any message of the frame over the port. */
export type FrameMessage = ConnectedMessage | RefusedMessage | AnswerMessage | DialogMessage | StripMessage

/** Curves, as in the HTTP API. */
export type Curve = 'secp256k1' | 'ed25519'

/** Bodies as the HTTP API spells them (snake_case): the frame checks them and passes the API's answers on. */
export type JsonObject = { readonly [key: string]: unknown }

/** How this browser stands to the wallet: `outdated` after a recovery or refresh elsewhere. */
export type DeviceShareState = 'present' | 'absent' | 'outdated'

/**
 * Every method: parameters and result.
 *
 * - `session.set`: the end user's token for all that follows; `null` forgets it.
 * - `login.start`, `login.verify`: the login by an emailed code, whose code works in this browser alone: the frame keeps the secret that
 *   names the browser.
 * - `wallet.create`: makes the key here, splits it, registers it. Result: the API's Wallet. `wallet_exists` carries
 *   `details.wallet`.
 * - `wallet.import`: asks the user for a private key in the frame and registers its wallet (either mode). Result: Wallet.
 * - `device.state`: whether this browser holds its share. Result also has the API's Wallet. Client mode only.
 * - `device.wipe`: deletes this browser's shares of the logged-in user's wallets, once the user agrees in the frame.
 * - `sign`: a SignRequest of the HTTP API, shown to the user first where the organization wants that; elsewhere a strip says so. Result:
 *   SignResponse (without `receipt`). `batch` names a list of `calls.agree` or `transactions.agree` whose next one this is: it is not asked about again.
 * - `userop.send`: builds, recomputes the hash, shows, signs and submits an operation. Result: UserOpStatus.
 * - `calls.agree`: shows several transactions of the wallet on an EVM chain in one dialog; `max_fee` (wei) is what all of their fees may cost
 *   together. The list ends with the page, another login, a call out of turn, or after 30 minutes. Client mode only.
 * - `transactions.agree`: the same for up to 64 serialized transactions of any network, which are then signed byte for byte. Client mode only.
 * - `calls.show`: shows what became of such calls, as the page tells it; a hash is null for a call that was not sent.
 * - `recovery.run`: emails a code, asks for it in the frame, rebuilds the key and re-splits it onto this device.
 * - `share.refresh`: re-splits the key onto a fresh polynomial, once the user agrees in the frame; every older share is useless.
 * - `key.export`: reveals the private key in the frame (never to the page), after a warning and in TEE mode an emailed code.
 */
export type Methods = {
  'session.set': { params: { token: string | null }; result: Record<string, never> }
  'login.start': { params: { email: string }; result: Record<string, never> }
  'login.verify': {
    params: { email: string; code: string }
    result: { token: string; user_identity_id: string; email: string }
  }
  'wallet.create': { params: { curve: Curve }; result: JsonObject }
  'wallet.import': { params: { curve: Curve }; result: JsonObject }
  'device.state': {
    params: { curve: Curve }
    result: { device_share: DeviceShareState; is_durable: boolean; wallet: JsonObject }
  }
  'device.wipe': { params: Record<string, never>; result: Record<string, never> }
  sign: { params: { request: JsonObject; batch?: string }; result: JsonObject }
  'userop.send': { params: { chain: string; calls: readonly JsonObject[] }; result: JsonObject }
  'calls.agree': {
    params: { chain: string; calls: readonly JsonObject[]; max_fee: string }
    result: { batch: string }
  }
  'transactions.agree': {
    params: { chain: string; transactions: readonly string[] }
    result: { batch: string }
  }
  'calls.show': {
    params: {
      chain: string
      calls: readonly JsonObject[]
      hashes: readonly (string | null)[]
      status: 'pending' | 'confirmed' | 'failed' | 'partial'
    }
    result: Record<string, never>
  }
  'recovery.run': { params: { curve: Curve }; result: { wallet_id: string; polynomial_version: number } }
  'share.refresh': { params: { curve: Curve }; result: { wallet_id: string; polynomial_version: number } }
  'key.export': { params: { curve: Curve }; result: { is_revealed: boolean } }
}

/** The name of a method. */
export type MethodName = keyof Methods
/** The parameters of a method. */
export type MethodParams<name extends MethodName> = Methods[name]['params']
/** The result of a method. */
export type MethodResult<name extends MethodName> = Methods[name]['result']

/** Codes of the frame itself; any other `code` is one of the HTTP API, handed on with its message and details. */
export type FrameErrorCode =
  | 'invalid_request'
  | 'message_too_large'
  | 'session_missing'
  | 'signing_mode_mismatch'
  | 'device_share_missing'
  | 'device_share_outdated'
  | 'user_rejected'
  | 'dialog_busy'
  | 'cancelled'
  | 'timeout'
  | 'network_failed'
  | 'key_mismatch'
  | 'preview_mismatch'
  | 'enclave_unverified'
  | 'internal'

/** Why a request failed, in words for the end user. `request_id` is the API's, where it answered. */
export type FrameError = {
  readonly code: FrameErrorCode | (string & {})
  readonly message: string
  readonly details?: JsonObject
  readonly request_id?: string
}

/**
 * The configuration that the server writes into the frame's page, as JSON in `<script type="application/json" id="frame-config">`.
 * `allowed_origins` are exact; `are_loopback_origins_allowed` is true in development only.
 */
export type FrameConfig = {
  /** Where the API is, whose origin is another than the frame's. */
  readonly api_base_url: string
  readonly publishable_key: string
  readonly organization: {
    readonly id: string
    readonly name: string
    readonly brand_color: string | null
    readonly support_email: string | null
    readonly signing_mode: 'client' | 'tee'
    readonly is_confirmation_shown: boolean
  }
  readonly allowed_origins: readonly string[]
  readonly are_loopback_origins_allowed: boolean
  /** In TEE mode, the enclave that a private key may be sealed to. */
  readonly enclave?: FrameEnclave
}

/** The enclave of the platform, as its configuration says: the frame seals an imported key to no other. */
export type FrameEnclave = {
  /** The key ring of the installation; null while it has none, and then no enclave will do. */
  readonly ring_id: string | null
  /** Registers of the images, of which one must match; PCR index to lower-case hex. */
  readonly measurements: readonly Readonly<Record<number, string>>[]
  /** The root of the simulation (DER, base64), which a development start alone names; null: only real hardware will do. */
  readonly simulated_root: string | null
}
