import { useState } from 'react'
import { type Organization, useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Card } from '../../ui/page.tsx'

/** Chooses who stores new recovery shares. */
export function RecoveryModeCard({ hasWebhook }: { hasWebhook: boolean }) {
  const { id: orgID, recovery_mode: current } = useOrganization()
  const mayChange = useMay('admin')
  const [mode, setMode] = useState(current)
  const [isAsked, setAsked] = useState(false)
  const save = useAction({
    run: () =>
      portalClient.call('PATCH /v1/orgs/{orgID}/recovery-mode', { params: { orgID }, body: { mode } }),
    changes: ['orgs'],
    done: 'Recovery saved.',
    onDone: () => setAsked(false),
  })
  return (
    <Card
      footer={
        <>
          <p className="text-xs text-muted">We email all owners when this changes.</p>
          <Button look="primary" disabled={mode === current || !mayChange} onClick={() => setAsked(true)}>
            Save
          </Button>
        </>
      }
    >
      <ModeChoice value={mode} onChange={setMode} />
      {isAsked && (
        <ConfirmDialog
          title="Change who stores recovery shares?"
          action="Change storage"
          change={save}
          onClose={() => setAsked(false)}
        >
          {mode === 'customer_managed' && !hasWebhook && (
            <p className="mb-2 font-medium text-bad">
              You haven’t set a webhook yet. Until you do, wallets can’t be created or recovered.
            </p>
          )}
          Existing shares stay where they are and keep working. New shares, from new wallets, recoveries and
          refreshes, go to the new place.
        </ConfirmDialog>
      )}
    </Card>
  )
}

type Mode = Organization['recovery_mode']

function ModeChoice({ value, onChange }: { value: Mode; onChange: (mode: Mode) => void }) {
  const { recovery_mode: current } = useOrganization()
  return (
    <ChoiceCards
      legend="Recovery shares are stored by"
      value={value}
      current={current}
      onChange={onChange}
      isDisabled={!useMay('admin')}
      choices={[
        {
          value: 'service_managed',
          title: 'The platform',
          text: 'Encrypted with a separate key, apart from the provider shares. No setup.',
        },
        {
          value: 'customer_managed',
          title: 'You, through a webhook',
          text: 'The platform never stores them, so it can’t reconstruct a key. You run the receiver.',
        },
      ]}
    />
  )
}
