import { useState } from 'react'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { SwitchRow } from '../../ui/switch-row.tsx'

/** Where keys sign, which can change until the first wallet exists, and whether users confirm signatures or get receipts of them. */
export function SigningCard() {
  const { id: orgID, signing_mode: current } = useOrganization()
  const mayChange = useMay('admin')
  const [mode, setMode] = useState(current)
  const change = useAction({
    run: () =>
      portalClient.call('PATCH /v1/orgs/{orgID}/signing-mode', {
        params: { orgID },
        body: { signing_mode: mode },
      }),
    changes: ['orgs'],
    done: 'Signing mode changed.',
  })
  return (
    <Card
      title="Signing"
      footer={
        <>
          <p className="text-xs text-muted">You can change the mode until you create the first wallet.</p>
          <Button
            look="primary"
            disabled={mode === current || !mayChange}
            isBusy={change.isPending}
            onClick={() => change.mutate()}
          >
            Change mode
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {current === 'client' ? <ConfirmationSwitch /> : <ReceiptsSwitch />}
        <ChoiceCards
          legend="Keys sign"
          value={mode}
          current={current}
          onChange={setMode}
          isDisabled={!mayChange}
          choices={[
            {
              value: 'client',
              title: 'In browsers (client mode)',
              text: 'Nobody can sign without the share on the user’s device.',
            },
            {
              value: 'tee',
              title: 'In the enclave (TEE mode)',
              text: 'An attested enclave signs for users, backends and agents, within their policies.',
            },
          ]}
        />
        <ErrorNotice error={change.error} />
      </div>
    </Card>
  )
}

function ConfirmationSwitch() {
  const { id: orgID, sign_confirmation } = useOrganization()
  const mayTurnOn = useMay('admin')
  const mayTurnOff = useMay('owner')
  const mayChange = sign_confirmation ? mayTurnOff : mayTurnOn
  const confirm = useAction({
    run: (isOn: boolean) =>
      portalClient.call('PATCH /v1/orgs/{orgID}', { params: { orgID }, body: { sign_confirmation: isOn } }),
    changes: ['orgs'],
    done: (isOn) => (isOn ? 'Users now confirm each signature.' : 'Users no longer confirm signatures.'),
  })
  return (
    <>
      <SwitchRow
        title="Confirm each signature"
        text="The wallet frame shows users what they sign and asks them to confirm. Only owners can turn this off; the frame then tells users about each signature instead."
        isOn={confirm.isPending ? confirm.variables : sign_confirmation}
        onChange={(isOn) => confirm.mutate(isOn)}
        isDisabled={!mayChange || confirm.isPending}
      />
      <ErrorNotice error={confirm.error} />
    </>
  )
}

function ReceiptsSwitch() {
  const { id: orgID, receipts } = useOrganization()
  const mayChange = useMay('admin')
  const change = useAction({
    run: (isOn: boolean) =>
      portalClient.call('PATCH /v1/orgs/{orgID}', { params: { orgID }, body: { receipts: isOn } }),
    changes: ['orgs'],
    done: (isOn) =>
      isOn ? 'Every signature now gets a receipt.' : 'Signatures get a receipt only on request.',
  })
  return (
    <>
      <SwitchRow
        title="Receipts for all signatures"
        text="The enclave signs a receipt for every signature, including those of agents. Anyone can verify a receipt without trusting this platform."
        isOn={change.isPending ? change.variables : receipts}
        onChange={(isOn) => change.mutate(isOn)}
        isDisabled={!mayChange || change.isPending}
      />
      <ErrorNotice error={change.error} />
    </>
  )
}
