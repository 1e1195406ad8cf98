import type { Agent, AgentRun } from '@symbolon/sdk/portal'
import { useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { useExampleChain } from '../../policy/use-chains.ts'
import { TextAreaField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

/** Starts a run with an objective. It spends the budget of the agent's own runs. */
export function StartRunDialog({
  agent: { id: agentID, name, runner },
  onStarted,
  onClose,
}: {
  agent: Agent
  onStarted: (run: AgentRun) => void
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  const { handle, native_asset } = useExampleChain()
  const [objective, setObjective] = useState('')
  const examples = [
    `balance on ${handle}`,
    'policy',
    `send 0.01 ${native_asset.symbol} on ${handle} to 0x…`,
    'sign message: hello',
  ]
  const start = useAction({
    run: () =>
      portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/runs', {
        params: { orgID, agentID },
        body: { objective },
      }),
    changes: ['agent'],
    onDone: onStarted,
  })
  return (
    <FormDialog
      title={`Start a run of ${name}`}
      text="This signs for real, within the agent’s policy and the budget of its own runs."
      action="Start run"
      change={start}
      onClose={onClose}
    >
      <TextAreaField
        label="Objective"
        error={issueOf(start.error, 'objective')}
        required
        rows={3}
        maxLength={8192}
        value={objective}
        onText={setObjective}
        placeholder={examples[0]}
      />
      {runner === 'intent' && <Examples examples={examples} onChoose={setObjective} />}
    </FormDialog>
  )
}

function Examples({
  examples,
  onChoose,
}: {
  examples: readonly string[]
  onChoose: (example: string) => void
}) {
  return (
    <div className="flex flex-col gap-2 text-sm text-muted">
      <p>This agent understands sentences such as:</p>
      <ul className="flex flex-col items-start gap-1">
        {examples.map((example) => (
          <li key={example}>
            <button
              type="button"
              onClick={() => onChoose(example)}
              className="min-h-8 rounded-md border border-line px-2 text-left font-mono text-xs text-ink hover:bg-sunken max-sm:min-h-10"
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
