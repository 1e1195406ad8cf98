import type { Agent, AgentRun } from '@symbolon/sdk/portal'
import { type FormEvent, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { useExampleChain } from '../../policy/use-chains.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'

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
  const examples = [
    `balance on ${handle}`,
    'policy',
    `send 0.01 ${native_asset.symbol} on ${handle} to 0x…`,
    'sign message: hello',
  ]
  const [objective, setObjective] = useState('')
  const start = useAction({
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/runs', {
        params: { orgID, agentID },
        body: { objective },
      }),
    changes: [['org', orgID, 'agent', agentID, 'runs']],
    onDone: onStarted,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    start.mutate(undefined)
  }

  return (
    <Dialog
      title={`Start a run of ${name}`}
      text="It signs for real, within the agent’s policy and the budget of its own runs."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="run" look="primary" isBusy={start.isPending}>
            Start the run
          </Button>
        </>
      }
    >
      <form id="run" onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Objective" error={issueOf(start.error, 'objective')}>
          {(props) => (
            <TextArea
              {...props}
              required
              rows={3}
              maxLength={8192}
              value={objective}
              onChange={(event) => setObjective(event.target.value)}
              placeholder={examples[0]}
            />
          )}
        </Field>
        {runner === 'intent' && (
          <div className="flex flex-col gap-2 text-sm text-muted">
            <p>This agent understands sentences such as:</p>
            <ul className="flex flex-col items-start gap-1">
              {examples.map((example) => (
                <li key={example}>
                  <button
                    type="button"
                    onClick={() => setObjective(example)}
                    className="min-h-8 rounded-md border border-line px-2 text-left font-mono text-xs text-ink hover:bg-sunken max-sm:min-h-10"
                  >
                    {example}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        )}
        <ErrorNotice error={start.error} />
      </form>
    </Dialog>
  )
}
