import { useState } from 'react'
import type { Answer } from '../../data/portal-client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'

/** Shows a key that was just made, the only time there is; closing asks whether it has been kept. */
export function KeyOnceDialog({
  minted,
  note,
  onClose,
}: {
  minted: Answer<'POST /v1/orgs/{orgID}/api-keys'>
  note?: string
  onClose: () => void
}) {
  const [isKept, setKept] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const close = () => (isKept || isAsked ? onClose() : setAsked(true))
  return (
    <Dialog
      title={`${minted.name} is minted`}
      text="This is the only time the key is shown. The platform keeps a hash of it."
      onClose={close}
      footer={
        <Button look="primary" onClick={close}>
          {isAsked && !isKept ? 'Close without copying' : 'Done'}
        </Button>
      }
    >
      <SecretOnce label="Key" secret={minted.key} onKept={() => setKept(true)} />
      {note !== undefined && <p className="text-sm text-pretty text-muted">{note}</p>}
      {isAsked && !isKept && (
        <Notice look="warn" title="You have not copied the key.">
          After closing, nobody can show it again; you would have to mint another.
        </Notice>
      )}
    </Dialog>
  )
}
