import type { SignPreview } from '@symbolon/networks/browser'
import type { Curve } from '../protocol/messages.ts'
import type { StripText } from './strip.ts'

/** A text for the expandable raw part of a dialog, shown as it is. */
export type DialogDetail = { readonly label: string; readonly text: string }

/** An address of the wallet with the name of its network, in full. */
export type NamedAddress = { readonly label: string; readonly address: string }

/**
 * What a person decides about. `pageOrigin` is the page that asks; `preview` was decoded here from the very bytes, its
 * amounts are decimal strings in the smallest unit of `nativeAsset` unless `asset` names a token. `message` is the text
 * that is signed, where it is readable; `details` are raw payloads; `feePaidBy` is who pays the fee, where that is not the
 * wallet; `domain` is what typed data says about its application. Every text may be hostile.
 */
export type ConfirmView = {
  readonly pageOrigin: string
  readonly subject: 'signature' | 'transaction' | 'operation' | 'calls' | 'transactions'
  readonly preview: SignPreview
  readonly chainId: number | null
  readonly nativeAsset: { readonly symbol: string; readonly decimals: number }
  readonly feePaidBy: string | null
  readonly message: string | null
  readonly domain?: readonly DialogDetail[]
  readonly details: readonly DialogDetail[]
}

/** What became of an entered code: done, or wrong in words for the user (`attemptsLeft`, where it is known). */
export type CodeCheck =
  | { readonly isRight: true }
  | { readonly isRight: false; readonly message: string; readonly attemptsLeft?: number }

/**
 * An emailed code of six digits. `check` is called with each full code, one at a time; when it throws, the dialog closes
 * and `askCode` rejects with that error. `resend` emails a new code (limited by the service), at most every
 * `resendAfterMs`; the `message` of an error is shown, and the dialog stays open. `readyAt`: the code was emailed at an
 * earlier visit, and works from then on.
 */
export type CodeView = {
  readonly purpose: 'recovery' | 'export' | 'import'
  readonly pageOrigin: string
  readonly resendAfterMs: number
  readonly readyAt?: Date
  check(code: string): Promise<CodeCheck>
  resend(): Promise<void>
}

/** The key in an entered text: its addresses, or why it is not a key, in words for the user. */
export type KeyReading =
  | { readonly isKey: true; readonly addresses: readonly NamedAddress[] }
  | { readonly isKey: false; readonly message: string }

/** A private key to import; `read` says at once what a text stands for and keeps nothing. `formats`: for a hint. */
export type KeyView = {
  readonly curve: Curve
  readonly pageOrigin: string
  readonly formats: readonly string[]
  read(text: string): KeyReading
}

/** Whose key is about to be shown. */
export type ExportView = {
  readonly curve: Curve
  readonly pageOrigin: string
  readonly addresses: readonly NamedAddress[]
}

/** A change to this device's part of a key, and the wallet it is about; without addresses, all wallets of the user. */
export type AgreeView = {
  readonly subject: 'wipe' | 'refresh'
  readonly pageOrigin: string
  readonly addresses: readonly NamedAddress[]
}

/** What waits, and until when. */
export type WaitView = {
  readonly purpose: 'recovery' | 'export'
  readonly pageOrigin: string
  readonly readyAt: Date
}

/** Calls that were sent one after another: what each does, its transaction (null: not sent), and how they stand together. */
export type CallsView = {
  readonly pageOrigin: string
  readonly chain: string
  readonly calls: readonly { readonly title: string; readonly to: string; readonly hash: string | null }[]
  readonly status: 'pending' | 'confirmed' | 'failed' | 'partial'
}

/** A private key in one spelling; `text` makes it only when the user wants to see or copy it. */
export type KeyFormat = { readonly label: string; text(): string }

/** A private key to show, in each spelling that other wallets take, the usual one first. */
export type RevealView = ExportView & { readonly formats: readonly KeyFormat[] }

/**
 * Everything the vault shows. One is open at a time: the vault sees to that, and a new one replaces a `busy` one.
 *
 * When `signal` aborts, the dialog closes at once and its promise rejects with `signal.reason`. Closing leaves nothing
 * of a code or key in the document.
 */
export type Dialogs = {
  /** Whether the person agrees; closing is a no. */
  confirm(view: ConfirmView, signal: AbortSignal): Promise<boolean>
  /** Whether the person agrees to a change of this device's part of a key; closing is a no. */
  agree(view: AgreeView, signal: AbortSignal): Promise<boolean>
  /** Says until when a process waits; resolves when the person has read it. */
  tellWait(view: WaitView, signal: AbortSignal): Promise<void>
  /** Shows how calls stand; resolves when the person has read it. */
  tellCalls(view: CallsView, signal: AbortSignal): Promise<void>
  /** Whether a right code was entered; `false`: closed without one. */
  askCode(view: CodeView, signal: AbortSignal): Promise<boolean>
  /** The text of a key that `read` took, or null when closed without one. */
  askKey(view: KeyView, signal: AbortSignal): Promise<string | null>
  /** Whether the person, warned of what the key can do, wants to see it. */
  warnExport(view: ExportView, signal: AbortSignal): Promise<boolean>
  /** Shows a key until the person is done; says whether it was made visible or copied. */
  reveal(view: RevealView, signal: AbortSignal): Promise<boolean>
  /** Shows a text at the edge of the page for a while, unless a dialog is open. */
  say(text: StripText): void
  /** Shows that something takes time, until the returned function is called, `signal` aborts or a dialog opens. */
  busy(text: string, signal: AbortSignal): () => void
}

/**
 * What `createDialogs` is given: `root` is the page's `<div id="root">`, `organization` brands the dialogs, `onOpen` is
 * called when something is shown (the page then lays the frame over itself) and when nothing is any more; `onStrip` the same
 * for a text at the edge of the page.
 */
export type DialogsOptions = {
  readonly root: HTMLElement
  readonly organization: {
    readonly name: string
    readonly brand_color: string | null
    readonly support_email: string | null
  }
  onOpen(open: boolean): void
  onStrip(open: boolean): void
}
