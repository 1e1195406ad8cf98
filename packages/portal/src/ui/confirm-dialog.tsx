import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import type { Change } from './form-dialog.tsx'
import { ErrorNotice } from './notice.tsx'

/** Asks before a change that is hard to undo; with `word`, only after it has been typed. */
export function ConfirmDialog({
  title,
  children,
  action,
  word,
  change,
  onClose,
}: {
  title: string
  children: ReactNode
  action: string
  word?: string
  change: Change
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
          <Button onClick={onClose}>Go back</Button>
          <Button look="danger" isBusy={change.isPending} disabled={!isReady} onClick={() => change.mutate()}>
            {action}
          </Button>
        </>
      }
    >
      <div className="text-sm text-pretty text-muted">{children}</div>
      {word !== undefined && (
        <TextField label={`Type “${word}” to confirm`} value={typed} onText={setTyped} />
      )}
      <ErrorNotice error={change.error} />
    </Dialog>
  )
}
