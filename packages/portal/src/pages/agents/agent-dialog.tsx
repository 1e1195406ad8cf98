import type { Agent, RunnerName } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { walletsQuery } from '../../data/queries.ts'
import { useAction } from '../../data/use-action.ts'
import { draftOf, policyOf } from '../../policy/policy-draft.ts'
import { PolicyEditor } from '../../policy/policy-editor.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, TextArea, TextInput } from '../../ui/field.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'

/** Makes an agent, or changes `agent`: who it is, how it works, and what its policy lets it do. */
export function AgentDialog({
  agent,
  onSaved,
  onClose,
}: {
  agent?: Agent
  onSaved: (agent: Agent) => void
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  const [name, setName] = useState(agent?.name ?? '')
  const [description, setDescription] = useState(agent?.description ?? '')
  const [walletId, setWalletId] = useState('')
  const [runner, setRunner] = useState<RunnerName>(agent?.runner ?? 'intent')
  const [template, setTemplate] = useState(agent?.objective_template ?? '')
  const [draft, setDraft] = useState(() => draftOf(agent?.policy ?? {}))
  const policy = policyOf(draft)
  const save = useAction({
    run: (_: undefined) => {
      const body = { name, description, runner, objective_template: template, policy: policy ?? {} }
      return agent === undefined
        ? portalClient.call('POST /v1/orgs/{orgID}/agents', {
            params: { orgID },
            body: { ...body, wallet_id: walletId },
          })
        : portalClient.call('PATCH /v1/orgs/{orgID}/agents/{agentID}', {
            params: { orgID, agentID: agent.id },
            body,
          })
    },
    changes: [
      ['org', orgID, 'agents'],
      ['org', orgID, 'agent'],
      ['org', orgID, 'agent-sessions'],
      ['org', orgID, 'agent-session'],
    ],
    done: agent === undefined ? `${name} is ready.` : 'The agent is changed. It holds from now on.',
    onDone: onSaved,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (policy !== undefined) save.mutate(undefined)
  }

  return (
    <Dialog
      form="side"
      title={agent === undefined ? 'Create an agent' : `Edit ${agent.name}`}
      text={
        agent === undefined
          ? undefined
          : 'A policy that is made stricter holds for all of its sessions at once; one that is made wider does not widen those already minted.'
      }
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="agent"
            look="primary"
            disabled={policy === undefined}
            isBusy={save.isPending}
          >
            {agent === undefined ? 'Create the agent' : 'Save'}
          </Button>
        </>
      }
    >
      <form id="agent" onSubmit={submit} className="flex flex-col gap-5">
        <Field label="Name" hint="Others see it on the agent’s card." error={issueOf(save.error, 'name')}>
          {(props) => (
            <TextInput
              {...props}
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="Treasury bot"
            />
          )}
        </Field>
        <Field label="Description (optional)" error={issueOf(save.error, 'description')}>
          {(props) => (
            <TextArea
              {...props}
              rows={2}
              maxLength={4096}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
              placeholder="Pays invoices that were approved."
            />
          )}
        </Field>
        {agent === undefined && (
          <WalletField value={walletId} error={issueOf(save.error, 'wallet_id')} onChange={setWalletId} />
        )}
        <ChoiceCards
          legend="How does it understand objectives?"
          value={runner}
          onChange={setRunner}
          choices={[
            {
              value: 'intent',
              title: 'Plain sentences',
              text: 'A small grammar (“send 0.01 ETH on base to 0x…”) and calls of tools. Needs no model; the same words always do the same.',
            },
            {
              value: 'llm',
              title: 'Language model',
              text: 'The model that this platform is configured with thinks and calls tools. Its policy holds all the same.',
            },
          ]}
        />
        {issueOf(save.error, 'runner') !== undefined && (
          <p role="alert" className="-mt-3 text-xs text-bad">
            This runner does not work here: the platform has no model (AGENT_LLM_…).
          </p>
        )}
        <Field
          label="Objective template (optional)"
          hint="{{objective}} stands for what was asked. Text from outside is data, never instructions."
          error={issueOf(save.error, 'objective_template')}
        >
          {(props) => (
            <TextArea
              {...props}
              rows={2}
              maxLength={8192}
              value={template}
              onChange={(event) => setTemplate(event.target.value)}
              placeholder="{{objective}}"
            />
          )}
        </Field>
        <PolicyEditor draft={draft} error={save.error} onChange={setDraft} />
        <ErrorNotice error={save.error} />
      </form>
    </Dialog>
  )
}

function WalletField({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (id: string) => void
}) {
  const { id: orgID, slug, signing_mode } = useOrganization()
  const { data } = useQuery(walletsQuery(orgID, { status: 'active', limit: 100 }))
  const wallets = data?.items.filter((wallet) => wallet.signing_mode === 'tee')
  if (wallets?.length === 0)
    return (
      <Notice look="warn" title="There is no wallet of the enclave.">
        {signing_mode === 'client'
          ? 'This company signs in its users’ browsers; agents need a company in TEE mode.'
          : 'An agent signs with one wallet. '}
        {signing_mode === 'tee' && (
          <Link to="/o/$slug/quick-start" params={{ slug }} className="text-accent underline">
            Make one in the quick start
          </Link>
        )}
      </Notice>
    )
  return (
    <Field
      label="Wallet"
      hint="It signs with this one, for good. Give an agent a wallet of its own, with what it may lose."
      error={error}
    >
      {(props) => (
        <Select {...props} required value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose…</option>
          {wallets?.map(({ id, address, identity }) => (
            <option key={id} value={id}>
              {identity.email ?? identity.provider_user_id} · {address}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
