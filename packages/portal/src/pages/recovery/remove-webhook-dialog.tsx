import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Removes the webhook, after the company's slug has been typed. */
export function RemoveWebhookDialog({ onClose }: { onClose: () => void }) {
  const { id: orgID, slug } = useOrganization()
  const remove = useAction({
    run: (_: undefined) => portalClient.call('DELETE /v1/orgs/{orgID}/webhook', { params: { orgID } }),
    changes: [
      ['org', orgID, 'webhook'],
      ['org', orgID, 'deliveries'],
    ],
    done: 'The webhook is removed.',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title="Remove the webhook?"
      action="Remove it now"
      word={slug}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      Recovery shares at your receiver cannot be fetched until it is set again: users who lost their device
      cannot recover meanwhile. Nothing at your receiver is deleted.
    </ConfirmDialog>
  )
}
