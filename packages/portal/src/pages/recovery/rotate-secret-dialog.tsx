import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'

/** Replaces the signing secret. For a day, calls carry signatures with both secrets. */
export function RotateSecretDialog({
  onRotated,
  onClose,
}: {
  onRotated: (secret: string) => void
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  const rotate = useAction({
    run: () => portalClient.call('POST /v1/orgs/{orgID}/webhook/rotate-secret', { params: { orgID } }),
    onDone({ signing_secret }) {
      onClose()
      onRotated(signing_secret)
    },
  })
  return (
    <FormDialog
      title="Rotate the signing secret?"
      text="For 24 hours, calls carry signatures with both the old and the new secret, so you can replace it without downtime."
      action="Rotate"
      change={rotate}
      onClose={onClose}
    />
  )
}
