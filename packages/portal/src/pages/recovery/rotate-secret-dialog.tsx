import { useState } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { SigningSecretDialog } from './signing-secret-dialog.tsx'

/** Replaces the signing secret; for a day calls carry signatures by both. */
export function RotateSecretDialog({ onClose }: { onClose: () => void }) {
  const { id: orgID } = useOrganization()
  const [secret, setSecret] = useState<string>()
  const rotate = useAction({
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs/{orgID}/webhook/rotate-secret', { params: { orgID } }),
    onDone: ({ signing_secret }) => setSecret(signing_secret),
  })
  if (secret !== undefined)
    return (
      <SigningSecretDialog
        secret={secret}
        note="The old secret goes on beside it for 24 hours: put the new one in place until then."
        onClose={onClose}
      />
    )
  return (
    <Dialog
      title="Rotate the signing secret?"
      text="You get a new one. For 24 hours every call carries signatures by both, so that nothing is refused meanwhile."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep the old one</Button>
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
            Rotate
          </Button>
        </>
      }
    >
      <ErrorNotice error={rotate.error} />
    </Dialog>
  )
}
