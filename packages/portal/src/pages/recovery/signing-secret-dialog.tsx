import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'

/** Shows a signing secret, the only time there is. */
export function SigningSecretDialog({
  secret,
  note,
  onClose,
}: {
  secret: string
  note?: string
  onClose: () => void
}) {
  return (
    <Dialog
      title="Your signing secret"
      text="Your receiver checks with it that a call comes from here. It is shown this once."
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <SecretOnce label="Signing secret" secret={secret} />
      {note !== undefined && <p className="text-sm text-pretty text-muted">{note}</p>}
    </Dialog>
  )
}
