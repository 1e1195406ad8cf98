import { type ButtonLook, setDisabled } from './button.ts'
import type { DialogScope } from './dialog-scope.ts'
import { element } from './element.ts'

/** What a guarded button asks for beyond the guard: `isReady`, and whether all has to be read first. */
export type Guard = { readonly mustBeRead?: boolean; isReady?(): boolean }

type GuardScope = Pick<DialogScope<never>, 'signal' | 'sight' | 'presses' | 'isReadToEnd' | 'onChange'>

/** Long enough that a click meant for the page before is not taken by the dialog, in milliseconds. */
export const guardMs = 500

/**
 * A button that agrees to something. It takes only a press that began when the whole dialog had been visible for
 * `guardMs`, uncovered and read to its end where that is asked for; `refresh` looks at `isReady` again.
 */
export function guardedButton(
  label: string,
  look: ButtonLook,
  scope: GuardScope,
  guard: Guard,
  onPress: () => void,
): { readonly button: HTMLButtonElement; refresh(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const allowedFrom = () => {
    const since = scope.sight.since()
    if (since === undefined || (guard.mustBeRead === true && !scope.isReadToEnd())) return undefined
    return (guard.isReady?.() ?? true) ? since + guardMs : undefined
  }
  const made = element(
    'button',
    { type: 'button', class: `button button-${look}`, 'aria-disabled': 'true' },
    label,
  )
  made.addEventListener('click', (event) => {
    const from = allowedFrom()
    const beganAt = scope.presses.beganAt() ?? event.timeStamp
    if (event.isTrusted && from !== undefined && beganAt >= from) onPress()
  })
  const refresh = () => {
    clearTimeout(timer)
    const from = allowedFrom()
    const waitMs = from === undefined ? Number.POSITIVE_INFINITY : from - performance.now()
    setDisabled(made, waitMs > 0)
    if (waitMs > 0 && Number.isFinite(waitMs)) timer = setTimeout(refresh, waitMs)
  }
  scope.onChange(refresh)
  scope.signal.addEventListener('abort', () => clearTimeout(timer))
  refresh()
  return { button: made, refresh }
}
