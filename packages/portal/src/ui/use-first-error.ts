import { type RefObject, useEffect, useRef } from 'react'

const wrong = '[aria-invalid="true"], [data-wrong]'
const controls = 'input:not([type="radio"]), textarea, select'

/** Focuses the first field of a form that is marked as wrong, or scrolls to it where it cannot have the focus. */
export function focusFirstError(form: HTMLElement | null): void {
  const first = form?.querySelector<HTMLElement>(wrong) ?? form?.querySelector<HTMLElement>('[role="alert"]')
  const within = first?.querySelector<HTMLElement>(controls) ?? first?.querySelector<HTMLElement>('input')
  const control = first?.matches(controls) ? first : within
  control?.focus()
  first?.scrollIntoView({ block: 'nearest' })
}

/** The ref of a form whose first wrong field gets the focus when submitting it has failed. */
export function useFirstError(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) focusFirstError(form.current)
  }, [error])
  return form
}
