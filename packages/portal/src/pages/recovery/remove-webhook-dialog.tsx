import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { ConfirmAction } from '../../ui/confirm-dialog.tsx'

/** Removes the webhook, after the company's slug has been typed. */
export function RemoveWebhookDialog({ onClose }: { onClose: () => void }) {
  const { id: orgID, slug } = useOrganization()
  return (
    <ConfirmAction
      title="Remove the webhook?"
      action="Remove webhook"
      word={slug}
      run={() => portalClient.call('DELETE /v1/orgs/{orgID}/webhook', { params: { orgID } })}
      changes={['webhook', 'deliveries']}
      done="Webhook removed."
      onClose={onClose}
    >
      Until you set it again, the platform can’t fetch recovery shares from your receiver, and users who lost
      their device can’t recover. Your receiver keeps its data.
    </ConfirmAction>
  )
}
