import type { FormEvent } from 'react'
import { useId } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { ErrorNotice } from './notice.tsx'
import { focusFirstError, useFirstError } from './use-first-error.ts'

/** A change that a dialog makes: a mutation without input. */
export type Change = { isPending: boolean; error: unknown; mutate: () => void }

/**
 * A dialog with one form. Submitting makes the `change`; while the form is not ready, or when the change fails, the first
 * wrong field gets the focus.
 */
export function FormDialog({
  action,
  change,
  isReady = true,
  children,
  ...rest
}: DialogProps & { action: string; change: Change; isReady?: boolean }) {
  const id = useId()
  const form = useFirstError(change.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isReady) change.mutate()
    else focusFirstError(form.current)
  }

  return (
    <Dialog
      {...rest}
      footer={
        <>
          <Button onClick={rest.onClose}>Cancel</Button>
          <Button type="submit" form={id} look="primary" isBusy={change.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} ref={form} onSubmit={submit} className="flex flex-col gap-4">
        {children}
        <ErrorNotice error={change.error} />
      </form>
    </Dialog>
  )
}
