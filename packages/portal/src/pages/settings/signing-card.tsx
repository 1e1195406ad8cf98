import { useState } from 'react'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { SwitchRow } from '../../ui/switch-row.tsx'

/** Where keys sign, as long as that can be changed, and whether users confirm each signature. */
export function SigningCard() {
  const { id: orgID, signing_mode: present, sign_confirmation } = useOrganization()
  const mayChange = useMay('admin')
  const [mode, setMode] = useState(present)
  const changeMode = useAction({
    run: (_: undefined) =>
      portalClient.call('PATCH /v1/orgs/{orgID}/signing-mode', {
        params: { orgID },
        body: { signing_mode: mode },
      }),
    changes: [['orgs']],
    done: 'The signing mode is changed.',
  })
  const confirm = useAction({
    run: (isOn: boolean) =>
      portalClient.call('PATCH /v1/orgs/{orgID}', { params: { orgID }, body: { sign_confirmation: isOn } }),
    changes: [['orgs']],
    done: (isOn) => (isOn ? 'Users confirm each signature.' : 'Signatures need no confirmation.'),
  })
  const now = (value: typeof present) => value === present && <Badge look="good">Now</Badge>
  return (
    <Card
      title="Signing"
      footer={
        <>
          <p className="text-xs text-muted">Only while the company has no wallet.</p>
          <Button
            look="primary"
            disabled={mode === present || !mayChange}
            isBusy={changeMode.isPending}
            onClick={() => changeMode.mutate(undefined)}
          >
            Change the mode
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {present === 'client' && (
          <SwitchRow
            title="Confirm each signature"
            text="Users read in the wallet frame what they sign, and confirm it. Turn it off only where your own app asks."
            isOn={confirm.isPending ? confirm.variables : sign_confirmation}
            onChange={(isOn) => confirm.mutate(isOn)}
            isDisabled={!mayChange || confirm.isPending}
          />
        )}
        <ChoiceCards
          legend="Keys sign"
          value={mode}
          onChange={setMode}
          isDisabled={!mayChange}
          choices={[
            {
              value: 'client',
              title: 'In browsers (client mode)',
              badge: now('client'),
              text: 'The user’s device holds a share without which nobody signs.',
            },
            {
              value: 'tee',
              title: 'In the enclave (TEE mode)',
              badge: now('tee'),
              text: 'An attested enclave signs for users, backends and agents, by policy.',
            },
          ]}
        />
        <ErrorNotice error={changeMode.error ?? confirm.error} />
      </div>
    </Card>
  )
}
