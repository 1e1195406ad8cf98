import type { Agent, RunnerName } from '@symbolon/sdk/portal'
import { type ReactNode, useMemo, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { type Body, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { boundlessText, isBoundless } from '../../policy/boundless.ts'
import { draftOf, newDraft, type PolicyDraft, policyOf } from '../../policy/policy-draft.ts'
import { PolicyEditor } from '../../policy/policy-editor.tsx'
import { useChains, useExampleChain } from '../../policy/use-chains.ts'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { TextAreaField, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Wallet } from '../wallets/wallet-owner.tsx'
import { WalletPicker } from '../wallets/wallet-picker.tsx'

type Written = Required<Pick<Agent, 'name' | 'description' | 'runner' | 'objective_template'>>

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
  const [written, setWritten] = useState<Written>({
    name: agent?.name ?? '',
    description: agent?.description ?? '',
    runner: agent?.runner ?? 'intent',
    objective_template: agent?.objective_template ?? '',
  })
  const [wallet, setWallet] = useState<Wallet>()
  const { draft, setDraft, wasBoundless } = useDraft(agent)
  const policy = policyOf(draft)
  const body = { ...written, policy: policy ?? {}, wallet_id: wallet?.id ?? '' }
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
      <AgentFields
        written={written}
        error={save.error}
        set={(change) => setWritten({ ...written, ...change })}
      >
        {agent === undefined && (
          <WalletPicker
            value={wallet}
            hint="You can’t change it later. Give each agent its own wallet, with only what it may lose."
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
    changes: [
      ['org', orgID, 'agents'],
      ['org', orgID, 'agent'],
      ['org', orgID, 'agent-sessions'],
      ['org', orgID, 'agent-session'],
    ],
    done: agent === undefined ? `${body.name} created.` : 'Agent saved. Its policy applies immediately.',
    onDone: onSaved,
  })
}

/** The fields beside the policy; `children` stand after the description. */
function AgentFields({
  written: { name, description, runner, objective_template },
  error,
  set,
  children,
}: {
  written: Written
  error: unknown
  set: (change: Partial<Written>) => void
  children: ReactNode
}) {
  return (
    <>
      <TextField
        label="Name"
        hint="Shown on the agent card."
        error={issueOf(error, 'name')}
        required
        maxLength={100}
        value={name}
        onText={(text) => set({ name: text })}
        placeholder="Treasury bot"
      />
      <TextAreaField
        label="Description (optional)"
        error={issueOf(error, 'description')}
        rows={2}
        maxLength={4096}
        value={description}
        onText={(text) => set({ description: text })}
        placeholder="Pays approved invoices."
      />
      {children}
      <RunnerChoice value={runner} error={error} onChange={(next) => set({ runner: next })} />
      <TextAreaField
        label="Objective template (optional)"
        hint="{{objective}} is replaced by the request. Text from outside is treated as data, never as instructions."
        error={issueOf(error, 'objective_template')}
        rows={2}
        maxLength={8192}
        value={objective_template}
        onText={(text) => set({ objective_template: text })}
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
            text: `A small set of sentences (“send 0.01 ${native_asset.symbol} on ${handle} to 0x…”) and tool calls. No model; the same words always do the same.`,
          },
          {
            value: 'llm',
            title: 'Language model',
            text: 'The platform’s language model decides which tools to call. The policy applies all the same.',
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
          <input type="checkbox" required className="mt-0.5 size-4 shrink-0 accent-accent" />
          No limit is intended. This wallet holds only what may be lost.
        </label>
      )}
    </Notice>
  )
}
