import { useState } from 'react'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Card } from '../../ui/page.tsx'

/** Chooses who keeps the recovery shares that are written from now on. */
export function RecoveryModeCard({ hasWebhook }: { hasWebhook: boolean }) {
  const { id: orgID, recovery_mode: present } = useOrganization()
  const mayChange = useMay('admin')
  const [mode, setMode] = useState(present)
  const [isAsked, setAsked] = useState(false)
  const save = useAction({
    run: (_: undefined) =>
      portalClient.call('PATCH /v1/orgs/{orgID}/recovery-mode', { params: { orgID }, body: { mode } }),
    changes: [['orgs']],
    done: 'New recovery shares go there from now on.',
    onDone: () => setAsked(false),
  })
  const now = (value: typeof present) => value === present && <Badge look="good">Now</Badge>
  return (
    <Card
      footer={
        <>
          <p className="text-xs text-muted">The owners are told by mail when this changes.</p>
          <Button look="primary" disabled={mode === present || !mayChange} onClick={() => setAsked(true)}>
            Save
          </Button>
        </>
      }
    >
      <ChoiceCards
        legend="Recovery shares are kept by"
        value={mode}
        onChange={setMode}
        isDisabled={!mayChange}
        choices={[
          {
            value: 'service_managed',
            title: 'The platform',
            badge: now('service_managed'),
            text: 'Encrypted under a key of their own, apart from the provider shares. Nothing to run.',
          },
          {
            value: 'customer_managed',
            title: 'You, by a webhook',
            badge: now('customer_managed'),
            text: 'The platform never stores them, so that it cannot rebuild a key even if it wanted to. You run the receiver.',
          },
        ]}
      />
      {isAsked && (
        <ConfirmDialog
          title="Change who keeps recovery shares?"
          action="Change it now"
          isBusy={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate(undefined)}
          onClose={() => setAsked(false)}
        >
          {mode === 'customer_managed' && !hasWebhook && (
            <p className="mb-2 font-medium text-bad">
              No webhook is set yet: until there is one, no wallet can be made or recovered.
            </p>
          )}
          Shares that are stored stay where they are and are read from there. Those of new wallets, recoveries
          and refreshes go to the new place.
        </ConfirmDialog>
      )}
    </Card>
  )
}
