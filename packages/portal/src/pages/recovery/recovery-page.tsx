import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { webhookQuery } from '../../data/queries.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ReadOnlyNote } from '../../ui/read-only-note.tsx'
import { Deliveries } from './deliveries.tsx'
import { RecoveryModeCard } from './recovery-mode-card.tsx'
import { WebhookCard } from './webhook-card.tsx'

/** Who keeps recovery shares, and the webhook that they travel by. */
export function RecoveryPage() {
  const { id: orgID, slug, signing_mode, recovery_mode } = useOrganization()
  const mayChange = useMay('admin')
  const { data: webhook, error, refetch } = useQuery(webhookQuery(orgID))
  return (
    <Page
      title="Recovery"
      lead="When a user loses the device, the recovery share and the provider share together bring the key back."
    >
      {!mayChange && <ReadOnlyNote what="recovery" />}
      {signing_mode === 'tee' && (
        <Notice title="This company signs in TEE mode.">
          There is no device to lose and so nothing to recover.{' '}
          <Link to="/o/$slug/settings" params={{ slug }} className="text-accent underline">
            Settings
          </Link>{' '}
          has the signing mode.
        </Notice>
      )}
      {signing_mode === 'client' && recovery_mode === 'customer_managed' && webhook === null && (
        <Notice look="bad" title="No wallet can be made or recovered right now.">
          You keep the recovery shares, but no webhook is set to send them to. Set it below, or let the
          platform keep them.
        </Notice>
      )}
      <RecoveryModeCard hasWebhook={webhook !== null && webhook !== undefined} />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {webhook !== undefined && <WebhookCard key={webhook?.updated_at ?? 'none'} webhook={webhook} />}
      {webhook !== null && webhook !== undefined && <Deliveries />}
    </Page>
  )
}
