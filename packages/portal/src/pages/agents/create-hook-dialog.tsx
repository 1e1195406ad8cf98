import type { AgentHookWithSecret } from '@symbolon/sdk/portal'
import { type FormEvent, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { useExampleChain } from '../../policy/use-chains.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, TextArea, TextInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'

const styles = [
  ['standard', 'Standard Webhooks (webhook-signature)'],
  ['stripe', 'Stripe (stripe-signature)'],
  ['github', 'GitHub (x-hub-signature-256)'],
] as const

/** Makes an inbound hook. */
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
  const example = useExampleChain()
  const [name, setName] = useState('')
  const [style, setStyle] = useState<(typeof styles)[number][0]>('standard')
  const [template, setTemplate] = useState('')
  const create = useAction({
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/hooks', {
        params: { orgID, agentID },
        body: { name, style, objective_template: template },
      }),
    changes: [['org', orgID, 'agent', agentID, 'hooks']],
    onDone: onCreated,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    create.mutate(undefined)
  }

  return (
    <Dialog
      title="Create an inbound hook"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="hook" look="primary" isBusy={create.isPending}>
            Create the hook
          </Button>
        </>
      }
    >
      <form id="hook" onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          hint="The system that will call, so that you know what stops when it is removed."
          error={issueOf(create.error, 'name')}
        >
          {(props) => (
            <TextInput
              {...props}
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="Billing"
            />
          )}
        </Field>
        <Field label="Signed as" hint="How the sender signs. Deliveries older than 5 minutes are refused.">
          {(props) => (
            <Select
              {...props}
              value={style}
              onChange={(event) =>
                setStyle(styles.find(([one]) => one === event.target.value)?.[0] ?? 'standard')
              }
            >
              {styles.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Objective"
          hint="What the agent does at each delivery. The delivery itself is data beside it, never an instruction."
          error={issueOf(create.error, 'objective_template')}
        >
          {(props) => (
            <TextArea
              {...props}
              required
              rows={3}
              maxLength={8192}
              value={template}
              onChange={(event) => setTemplate(event.target.value)}
              placeholder={`send 0.01 ${example.native_asset.symbol} on ${example.handle} to 0x…`}
            />
          )}
        </Field>
        <ErrorNotice error={create.error} />
      </form>
    </Dialog>
  )
}
