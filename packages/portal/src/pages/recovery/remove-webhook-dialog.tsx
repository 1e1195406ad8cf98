import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Removes the webhook, after the company's slug has been typed. */
export function RemoveWebhookDialog({ onClose }: { onClose: () => void }) {
  const { id: orgID, slug } = useOrganization()
  const remove = useAction({
    run: () => portalClient.call('DELETE /v1/orgs/{orgID}/webhook', { params: { orgID } }),
    changes: [
      ['org', orgID, 'webhook'],
      ['org', orgID, 'deliveries'],
    ],
    done: 'Webhook removed.',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title="Remove the webhook?"
      action="Remove webhook"
      word={slug}
      change={remove}
      onClose={onClose}
    >
      Until you set it again, the platform can’t fetch recovery shares from your receiver, and users who lost
      their device can’t recover. Your receiver keeps its data.
    </ConfirmDialog>
  )
}
