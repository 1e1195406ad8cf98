import type { AgentHookWithSecret } from '@symbolon/sdk/portal'
import { useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { useExampleChain } from '../../policy/use-chains.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

const styles = [
  ['standard', 'Standard Webhooks (webhook-signature)'],
  ['stripe', 'Stripe (stripe-signature)'],
  ['github', 'GitHub (x-hub-signature-256)'],
] as const

/** Creates an inbound hook. */
export function CreateHookDialog({
  agentId: agentID,
  onCreated,
  onClose,
}: {
  agentId: string
  onCreated: (hook: AgentHookWithSecret) => void
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  const { handle, native_asset } = useExampleChain()
  const [name, setName] = useState('')
  const [style, setStyle] = useState<(typeof styles)[number][0]>('standard')
  const [template, setTemplate] = useState('')
  const create = useAction({
    run: () =>
      portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/hooks', {
        params: { orgID, agentID },
        body: { name, style, objective_template: template },
      }),
    changes: [['org', orgID, 'agent', agentID, 'hooks']],
    onDone: onCreated,
  })
  return (
    <FormDialog title="Create an inbound hook" action="Create hook" change={create} onClose={onClose}>
      <TextField
        label="Name"
        hint="The system that will call it, so you know what breaks if you remove it."
        error={issueOf(create.error, 'name')}
        required
        maxLength={100}
        value={name}
        onText={setName}
        placeholder="Billing"
      />
      <SelectField
        label="Signature scheme"
        hint="How the sender signs. Deliveries older than 5 minutes are rejected."
        value={style}
        onText={(text) => setStyle(styles.find(([one]) => one === text)?.[0] ?? 'standard')}
        options={styles}
      />
      <TextAreaField
        label="Objective"
        hint="What the agent does for each delivery. The delivery itself is data, never an instruction."
        error={issueOf(create.error, 'objective_template')}
        required
        rows={3}
        maxLength={8192}
        value={template}
        onText={setTemplate}
        placeholder={`send 0.01 ${native_asset.symbol} on ${handle} to 0x…`}
      />
    </FormDialog>
  )
}
