import type { Agent, RunnerName } from '@symbolon/sdk/portal'
import { type ReactNode, useMemo, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { type Body, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { type Form, useForm } from '../../data/use-form.ts'
import { boundlessText, isBoundless } from '../../policy/boundless.ts'
import type { PolicyDraft } from '../../policy/draft-kinds.ts'
import { draftOf, newDraft, policyOf } from '../../policy/policy-draft.ts'
import { PolicyEditor } from '../../policy/policy-editor.tsx'
import { useChains, useExampleChain } from '../../policy/use-chains.ts'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { TextAreaField, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Wallet } from '../wallets/wallet-owner.tsx'
import { WalletPicker } from '../wallets/wallet-picker.tsx'

type Written = Pick<Agent, 'name' | 'description' | 'runner' | 'objective_template'>

/** Creates an agent, or changes `agent`: its name, wallet, runner and policy. */
export function AgentDialog({
  agent,
  onSaved,
  onClose,
}: {
  agent?: Agent
  onSaved: (agent: Agent) => void
  onClose: () => void
}) {
  const form = useForm<Written>({
    name: agent?.name ?? '',
    description: agent?.description ?? '',
    runner: agent?.runner ?? 'intent',
    objective_template: agent?.objective_template ?? '',
  })
  const [wallet, setWallet] = useState<Wallet>()
  const { draft, setDraft, wasBoundless } = useDraft(agent)
  const policy = policyOf(draft)
  const body = { ...form.values, policy: policy ?? {}, wallet_id: wallet?.id ?? '' }
  const save = useSaveAgent(agent, body, onSaved)
  return (
    <FormDialog
      form="side"
      title={agent === undefined ? 'Create an agent' : `Edit ${agent.name}`}
      text={
        agent &&
        'A stricter policy applies to all of its sessions immediately. A wider one doesn’t extend sessions that are already minted.'
      }
      action={agent === undefined ? 'Create agent' : 'Save'}
      change={save}
      isReady={policy !== undefined}
      onClose={onClose}
    >
      <AgentFields form={form} error={save.error}>
        {agent === undefined && (
          <WalletPicker
            value={wallet}
            hint="You can’t change it later. Give each agent its own wallet, holding only what you can afford to lose."
            error={issueOf(save.error, 'wallet_id')}
            onChange={setWallet}
          />
        )}
      </AgentFields>
      <PolicyEditor draft={draft} error={save.error} onChange={setDraft} />
      {isBoundless(draft) && <BoundlessNotice draft={draft} isAsked={!wasBoundless} />}
    </FormDialog>
  )
}

function useSaveAgent(
  agent: Agent | undefined,
  body: Body<'POST /v1/orgs/{orgID}/agents'>,
  onSaved: (agent: Agent) => void,
) {
  const { id: orgID } = useOrganization()
  return useAction({
    run: () => {
      const { wallet_id: _, ...changes } = body
      return agent === undefined
        ? portalClient.call('POST /v1/orgs/{orgID}/agents', { params: { orgID }, body })
        : portalClient.call('PATCH /v1/orgs/{orgID}/agents/{agentID}', {
            params: { orgID, agentID: agent.id },
            body: changes,
          })
    },
    changes: ['agents', 'agent', 'agent-sessions', 'agent-session'],
    done: agent === undefined ? `${body.name} created.` : 'Agent saved. Its policy applies immediately.',
    onDone: onSaved,
  })
}

/** The fields beside the policy; `children` stand after the description. */
function AgentFields({
  form: { values, set, field },
  error,
  children,
}: {
  form: Form<Written>
  error: unknown
  children: ReactNode
}) {
  return (
    <>
      <TextField
        {...field('name', error)}
        label="Name"
        hint="Shown on the agent card."
        required
        maxLength={100}
        placeholder="Treasury bot"
      />
      <TextAreaField
        {...field('description', error)}
        label="Description (optional)"
        rows={2}
        maxLength={4096}
        placeholder="Pays approved invoices."
      />
      {children}
      <RunnerChoice value={values.runner} error={error} onChange={(next) => set({ runner: next })} />
      <TextAreaField
        {...field('objective_template', error)}
        label="Objective template (optional)"
        hint="{{objective}} is replaced by the request. Text from outside is treated as data, never as instructions."
        rows={2}
        maxLength={8192}
        placeholder="{{objective}}"
      />
    </>
  )
}

function RunnerChoice({
  value,
  error,
  onChange,
}: {
  value: RunnerName
  error: unknown
  onChange: (runner: RunnerName) => void
}) {
  const { handle, native_asset } = useExampleChain()
  return (
    <>
      <ChoiceCards
        legend="How does it understand objectives?"
        value={value}
        onChange={onChange}
        choices={[
          {
            value: 'intent',
            title: 'Plain sentences',
            text: `A small set of sentences (“send 0.01 ${native_asset.symbol} on ${handle} to 0x…”) and tool calls. No model: the same words always do the same thing.`,
          },
          {
            value: 'llm',
            title: 'Language model',
            text: 'The platform’s language model decides which tools to call. The policy still applies.',
          },
        ]}
      />
      {issueOf(error, 'runner') !== undefined && (
        <p role="alert" className="-mt-2 text-xs text-bad">
          This platform has no language model configured (AGENT_LLM_…).
        </p>
      )}
    </>
  )
}

/** The draft of the agent's policy; a new agent's starts with a chain that has a node. */
function useDraft(agent: Agent | undefined) {
  const chain = useExampleChain().handle
  const isKnown = useChains().length > 0
  const initial = useMemo(
    () => (agent === undefined ? newDraft(isKnown ? chain : undefined) : draftOf(agent.policy)),
    [agent, chain, isKnown],
  )
  const [edited, setDraft] = useState<PolicyDraft>()
  const wasBoundless = agent !== undefined && isBoundless(initial)
  return { draft: edited ?? initial, setDraft, wasBoundless }
}

/** Says what an agent without limits can do; if `isAsked`, the person has to confirm it. */
function BoundlessNotice({ draft, isAsked }: { draft: PolicyDraft; isAsked: boolean }) {
  return (
    <Notice look="warn" title="Nothing limits what this agent can lose">
      {boundlessText({
        hasAllChains: draft.allowed_chains === undefined,
        isEndless: draft.expires_at.text === '',
      })}{' '}
      Set a total limit or the recipients it may pay.
      {isAsked && (
        <label className="mt-2 flex items-start gap-2 text-ink">
          <input type="checkbox" required className="mt-0.5 size-4 shrink-0 accent-accent" />I want no limit.
          This wallet holds only what I can afford to lose.
        </label>
      )}
    </Notice>
  )
}
