import { useState } from 'react'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { SwitchRow } from '../../ui/switch-row.tsx'

const hour = 3_600
const delays: readonly (readonly [seconds: number, name: string])[] = [
  [0, 'No delay'],
  [hour, '1 hour'],
  [12 * hour, '12 hours'],
  [24 * hour, '24 hours'],
  [48 * hour, '2 days'],
  [72 * hour, '3 days'],
]

/** Whether private keys may leave, and how long recoveries and exports from new devices wait. */
export function KeysCard() {
  const { id: orgID, high_risk_delay_seconds: current } = useOrganization()
  const mayChange = useMay('admin')
  const isOwner = useMay('owner')
  const [delay, setDelay] = useState(String(current))
  const save = useAction({
    run: () =>
      portalClient.call('PATCH /v1/orgs/{orgID}', {
        params: { orgID },
        body: { high_risk_delay_seconds: Number(delay) },
      }),
    changes: ['orgs'],
    done: 'Delay saved.',
  })
  const known = delays.some(([seconds]) => seconds === current)
  const all = known ? delays : [...delays, [current, `${current} seconds`] as const]
  const offered = all
    .filter(([seconds]) => isOwner || seconds >= current)
    .sort(([one], [other]) => one - other)
  return (
    <Card
      title="Recovery and key export"
      text="Someone who can read a user’s email shouldn’t be able to take their wallet unnoticed."
      footer={
        <>
          <p className="text-xs text-muted">
            We email all owners when this changes. Only owners can shorten the delay.
          </p>
          <Button
            look="primary"
            disabled={Number(delay) === current || !mayChange}
            isBusy={save.isPending}
            onClick={() => save.mutate()}
          >
            Save delay
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <ExportSwitch />
        <SelectField
          label="Delay on new devices"
          hint="Recoveries and exports from a device that is new to the user wait this long after the right code. The user gets an email with a link to cancel."
          value={delay}
          onText={setDelay}
          disabled={!mayChange}
          options={offered.map(([seconds, name]) => [String(seconds), name] as const)}
        />
        <ErrorNotice error={save.error} />
      </div>
    </Card>
  )
}

function ExportSwitch() {
  const { id: orgID, export_enabled } = useOrganization()
  const mayChange = useMay('admin')
  const change = useAction({
    run: (isOn: boolean) =>
      portalClient.call('PATCH /v1/orgs/{orgID}', { params: { orgID }, body: { export_enabled: isOn } }),
    changes: ['orgs'],
    done: (isOn) => (isOn ? 'Users can export their keys.' : 'Users can no longer export their keys.'),
  })
  return (
    <>
      <SwitchRow
        title="Private key export"
        text="Users can take their wallet’s private key to another wallet app."
        isOn={change.isPending ? change.variables : export_enabled}
        onChange={(isOn) => change.mutate(isOn)}
        isDisabled={!mayChange || change.isPending}
      />
      <ErrorNotice error={change.error} />
    </>
  )
}
