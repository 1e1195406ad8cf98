import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field, TextInput } from './field.tsx'
import { ErrorNotice } from './notice.tsx'

/** Asks before something that cannot be taken back; with `word`, only after it has been typed. */
export function ConfirmDialog({
  title,
  children,
  action,
  word,
  isBusy,
  error,
  onConfirm,
  onClose,
}: {
  title: string
  children: ReactNode
  action: string
  word?: string
  isBusy: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const isReady = word === undefined || typed.trim() === word
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" isBusy={isBusy} disabled={!isReady} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className="text-sm text-pretty text-muted">{children}</div>
      {word !== undefined && (
        <Field label={`Type “${word}” to go on`}>
          {(props) => (
            <TextInput {...props} value={typed} onChange={(event) => setTyped(event.target.value)} />
          )}
        </Field>
      )}
      <ErrorNotice error={error} />
    </Dialog>
  )
}
