import type { AgentHookWithSecret } from '@symbolon/sdk/portal'
import { useOrganization } from '../../data/organization.tsx'
import { type Body, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { useForm } from '../../data/use-form.ts'
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
  const { values, set, field } = useForm<Body<'POST /v1/orgs/{orgID}/agents/{agentID}/hooks'>>({
    name: '',
    style: 'standard',
    objective_template: '',
  })
  const create = useAction({
    run: () =>
      portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/hooks', {
        params: { orgID, agentID },
        body: values,
      }),
    changes: ['agent'],
    onDone: onCreated,
  })
  return (
    <FormDialog title="Create an inbound hook" action="Create hook" change={create} onClose={onClose}>
      <TextField
        {...field('name', create.error)}
        label="Name"
        hint="The system that will call it, so you know what breaks if you remove it."
        required
        maxLength={100}
        placeholder="Billing"
      />
      <SelectField
        label="Signature scheme"
        hint="How the sender signs. Deliveries older than 5 minutes are rejected."
        value={values.style}
        onText={(text) => set({ style: styles.find(([one]) => one === text)?.[0] ?? 'standard' })}
        options={styles}
      />
      <TextAreaField
        {...field('objective_template', create.error)}
        label="Objective"
        hint="What the agent does for each delivery. The delivery itself is data, never an instruction."
        required
        rows={3}
        maxLength={8192}
        placeholder={`send 0.01 ${native_asset.symbol} on ${handle} to 0x…`}
      />
    </FormDialog>
  )
}
