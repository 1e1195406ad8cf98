import type { PressOrigin } from './press-origin.ts'
import type { Sight } from './sight.ts'

/** The parts of a dialog; `heading` names it, `eyebrow` above it gives its kind. */
export type DialogParts = {
  readonly eyebrow?: string
  readonly heading: string
  readonly content: readonly HTMLElement[]
  readonly actions: readonly HTMLElement[]
  /** Focused first; by default the heading, so that no key decides anything by accident. */
  readonly focusFirst?: HTMLElement
}

/** The capabilities and state of an open dialog. */
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
