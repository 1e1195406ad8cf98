import { type ReactNode, useState } from 'react'
import { type ActionOptions, useAction } from '../data/use-action.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import type { Change } from './form-dialog.tsx'
import { ErrorNotice } from './notice.tsx'

type Props = { title: string; children: ReactNode; action: string; word?: string; onClose: () => void }

/** Asks before a change that is hard to undo; with `word`, only after it has been typed. */
export function ConfirmDialog({
  title,
  children,
  action,
  word,
  change,
  onClose,
}: Props & { change: Change }) {
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

/** Asks before a change, makes it and closes itself when it worked. */
export function ConfirmAction<data>({
  run,
  changes,
  done,
  onDone,
  ...rest
}: Props & Required<Omit<ActionOptions<void, data>, 'onDone'>> & { onDone?: (data: data) => void }) {
  const change = useAction({
    run,
    changes,
    done,
    onDone(data) {
      rest.onClose()
      onDone?.(data)
    },
  })
  return <ConfirmDialog {...rest} change={change} />
}
