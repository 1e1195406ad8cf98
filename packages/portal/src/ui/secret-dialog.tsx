import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { SecretOnce } from './secret-once.tsx'

/** Shows a secret right after it was created, the only time it can be shown. */
export function SecretDialog({
  title,
  text,
  label,
  secret,
  children,
  onClose,
}: {
  title: string
  text: string
  label: string
  secret: string
  children?: ReactNode
  onClose: () => void
}) {
  return (
    <Dialog
      title={title}
      text={`${text} We show it only once.`}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          I’ve saved it
        </Button>
      }
    >
      <SecretOnce label={label} secret={secret} />
      {children}
    </Dialog>
  )
}
