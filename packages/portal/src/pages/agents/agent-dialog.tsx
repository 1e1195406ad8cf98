import type { Agent, RunnerName } from '@symbolon/sdk/portal'
import { type FormEvent, useMemo, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { boundlessText } from '../../policy/boundless.ts'
import { draftOf, isBoundlessDraft, newDraft, type PolicyDraft, policyOf } from '../../policy/policy-draft.ts'
import { PolicyEditor } from '../../policy/policy-editor.tsx'
import { useChains, useExampleChain } from '../../policy/use-chains.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea, TextInput } from '../../ui/field.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { focusFirstError, useFirstError } from '../../ui/use-first-error.ts'
import type { Wallet } from '../wallets/wallet-owner.tsx'
import { WalletPicker } from '../wallets/wallet-picker.tsx'

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
  const [wallet, setWallet] = useState<Wallet>()
  const [runner, setRunner] = useState<RunnerName>(agent?.runner ?? 'intent')
  const [template, setTemplate] = useState(agent?.objective_template ?? '')
  const { draft, setDraft, wasBoundless } = useDraft(agent)
  const example = useExampleChain()
  const policy = policyOf(draft)
  const save = useAction({
    run: (_: undefined) => {
      const body = { name, description, runner, objective_template: template, policy: policy ?? {} }
      return agent === undefined
        ? portalClient.call('POST /v1/orgs/{orgID}/agents', {
            params: { orgID },
            body: { ...body, wallet_id: wallet?.id ?? '' },
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
  const form = useFirstError(save.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (policy === undefined) focusFirstError(form.current)
    else save.mutate(undefined)
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
          <Button type="submit" form="agent" look="primary" isBusy={save.isPending}>
            {agent === undefined ? 'Create the agent' : 'Save'}
          </Button>
        </>
      }
    >
      <form id="agent" ref={form} onSubmit={submit} className="flex flex-col gap-5">
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
          <WalletPicker
            value={wallet}
            hint="It signs with this one, for good. Give an agent a wallet of its own, with what it may lose."
            error={issueOf(save.error, 'wallet_id')}
            onChange={setWallet}
          />
        )}
        <ChoiceCards
          legend="How does it understand objectives?"
          value={runner}
          onChange={setRunner}
          choices={[
            {
              value: 'intent',
              title: 'Plain sentences',
              text: `A small grammar (“send 0.01 ${example.native_asset.symbol} on ${example.handle} to 0x…”) and calls of tools. Needs no model; the same words always do the same.`,
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
        {isBoundlessDraft(draft) && <BoundlessNotice draft={draft} isAsked={!wasBoundless} />}
        <ErrorNotice error={save.error} />
      </form>
    </Dialog>
  )
}

/** The policy while it is edited: the agent's, or that of a new one, which begins with a chain that is reached here. */
function useDraft(agent: Agent | undefined) {
  const chain = useExampleChain().handle
  const isKnown = useChains().length > 0
  const initial = useMemo(
    () => (agent === undefined ? newDraft(isKnown ? chain : undefined) : draftOf(agent.policy)),
    [agent, chain, isKnown],
  )
  const [edited, setDraft] = useState<PolicyDraft>()
  const wasBoundless = agent !== undefined && isBoundlessDraft(initial)
  return { draft: edited ?? initial, setDraft, wasBoundless }
}

/** What an agent without limits can do, and the box that says it is meant. */
function BoundlessNotice({ draft, isAsked }: { draft: PolicyDraft; isAsked: boolean }) {
  return (
    <Notice look="warn" title="Nothing limits what this agent can lose.">
      {boundlessText({
        hasEveryChain: draft.allowed_chains === undefined,
        isEndless: draft.expires_at.text === '',
      })}{' '}
      Set a limit in all, or whom it may pay.
      {isAsked && (
        <label className="mt-2 flex items-start gap-2 text-ink">
          <input type="checkbox" required className="mt-0.5 size-4 shrink-0 accent-accent" />
          No limit is meant: this wallet holds only what may be lost.
        </label>
      )}
    </Notice>
  )
}
