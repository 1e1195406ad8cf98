import { type RefObject, useEffect, useRef } from 'react'

const wrong = '[aria-invalid="true"], [data-wrong]'
const controls = 'input:not([type="radio"]), textarea, select'

/** Puts the focus on the first thing in a form that is marked as wrong; what cannot have it is scrolled to. */
export function focusFirstError(form: HTMLElement | null): void {
  const first = form?.querySelector<HTMLElement>(wrong) ?? form?.querySelector<HTMLElement>('[role="alert"]')
  const within = first?.querySelector<HTMLElement>(controls) ?? first?.querySelector<HTMLElement>('input')
  const control = first?.matches(controls) ? first : within
  control?.focus()
  first?.scrollIntoView({ block: 'nearest' })
}

/** For a form: as soon as its sending has failed, what is wrong has the focus, wherever it was scrolled to. */
export function useFirstError(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) focusFirstError(form.current)
  }, [error])
  return form
}
