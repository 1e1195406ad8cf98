import { useState } from 'react'
import type { Answer } from '../../data/portal-client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'

/** Shows a new key, the only time it can be shown. Closing it before it was copied takes a second click. */
export function KeyOnceDialog({
  created,
  note,
  onClose,
}: {
  created: Answer<'POST /v1/orgs/{orgID}/api-keys'>
  note?: string
  onClose: () => void
}) {
  const [isKept, setKept] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const close = () => (isKept || isAsked ? onClose() : setAsked(true))
  return (
    <Dialog
      title={`Save your key: ${created.name}`}
      text="We show it only once and store only its hash."
      onClose={close}
      footer={
        <Button look="primary" onClick={close}>
          {isAsked && !isKept ? 'Close without copying' : 'Done'}
        </Button>
      }
    >
      <SecretOnce label="Key" secret={created.key} onKept={() => setKept(true)} />
      {note !== undefined && <p className="text-sm text-pretty text-muted">{note}</p>}
      {isAsked && !isKept && (
        <Notice look="warn" title="You haven’t copied the key">
          You can’t see it again after you close this. You would have to create another key.
        </Notice>
      )}
    </Dialog>
  )
}
