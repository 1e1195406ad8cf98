import type { PressOrigin } from './press-origin.ts'
import type { Sight } from './sight.ts'

/** What a dialog is made of; `heading` names it, `eyebrow` says above it what kind of thing it is. */
export type DialogParts = {
  readonly eyebrow?: string
  readonly heading: string
  readonly content: readonly HTMLElement[]
  readonly actions: readonly HTMLElement[]
  /** Focused first; by default the heading, so that no key decides anything by accident. */
  readonly focusFirst?: HTMLElement
}

/** What an open dialog can do and know. */
export type DialogScope<result> = {
  /** Aborts when the dialog is gone. */
  readonly signal: AbortSignal
  readonly sight: Sight
  readonly presses: PressOrigin
  /** Whether the content was read to its end. */
  isReadToEnd(): boolean
  /** Calls back whenever `sight` or `isReadToEnd` changes. */
  onChange(listener: () => void): void
  finish(result: result): void
  fail(error: unknown): void
}
