import { useQuery } from '@tanstack/react-query'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { webhookQuery } from '../../data/queries.ts'
import { TextLink } from '../../ui/links.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ReadOnlyNote } from '../../ui/read-only-note.tsx'
import { Deliveries } from './deliveries.tsx'
import { RecoveryModeCard } from './recovery-mode-card.tsx'
import { WebhookCard } from './webhook-card.tsx'

/** Who stores recovery shares, and the webhook that receives them. */
export function RecoveryPage() {
  const { id: orgID, signing_mode, recovery_mode } = useOrganization()
  const mayChange = useMay('admin')
  const query = useQuery(webhookQuery(orgID))
  return (
    <Page
      title="Recovery"
      lead="When a user loses their device, the recovery share and the provider share restore the key."
    >
      {!mayChange && <ReadOnlyNote what="recovery" />}
      {signing_mode === 'tee' && (
        <Notice title="This company signs in TEE mode">
          Keys aren’t tied to a device, so users have nothing to recover. You can change the signing mode in{' '}
          <TextLink to="/o/$slug/settings">Settings</TextLink>.
        </Notice>
      )}
      {signing_mode === 'client' && recovery_mode === 'customer_managed' && query.data === null && (
        <Notice look="bad" title="Wallets can’t be created or recovered right now">
          You store the recovery shares, but you haven’t set a webhook. Set one below, or let the platform
          store the shares.
        </Notice>
      )}
      <RecoveryModeCard hasWebhook={query.data !== null && query.data !== undefined} />
      <Loaded query={query}>
        {(webhook) => (
          <>
            <WebhookCard key={webhook === null ? 'none' : 'set'} webhook={webhook} />
            {webhook !== null && <Deliveries />}
          </>
        )}
      </Loaded>
    </Page>
  )
}
