import type { AgentRunDetail } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { agentQuery, runEventsQuery, runQuery } from '../../data/agent-queries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, Mono } from '../../ui/code.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { Attempts } from '../agent-sessions/attempts.tsx'
import { reasonOf } from '../agent-sessions/reasons.ts'
import { RunJournal } from './run-journal.tsx'
import { objectiveText, RunState, runSources } from './run-state.tsx'

const route = getRouteApi('/inside/o/$slug/agents/$agentID/runs/$runID')
const livelyMs = 1_500

/** One run, followed until its end: what it was to do, what came of it, each of its steps, and what it had signed. */
export function RunPage() {
  const { id: orgID, slug } = useOrganization()
  const mayCancel = useMay('developer')
  const { agentID, runID } = route.useParams()
  const {
    data: run,
    error,
    refetch,
  } = useQuery({
    ...runQuery(orgID, agentID, runID),
    refetchInterval: ({ state }) => (state.data?.ended_at === null ? livelyMs : false),
  })
  const { data: agent } = useQuery(agentQuery(orgID, agentID))
  const [isAsked, setAsked] = useState(false)
  return (
    <Page
      title="Run"
      lead={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {run !== undefined && <RunState run={run} />}
          <span>
            of{' '}
            <Link to="/o/$slug/agents/$agentID" params={{ slug, agentID }} className="text-accent underline">
              {agent?.name ?? 'its agent'}
            </Link>
            {run !== undefined && (
              <>
                , started {runSources[run.source]} <Time at={run.created_at} />
              </>
            )}
          </span>
        </span>
      }
      actions={
        run !== undefined &&
        run.ended_at === null && (
          <Button
            look="danger"
            disabled={!mayCancel}
            icon={<Ban className="size-4" aria-hidden="true" />}
            onClick={() => setAsked(true)}
          >
            Cancel it…
          </Button>
        )
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {run === undefined && error === null && (
        <div className="pulse h-48 rounded-xl bg-sunken" aria-busy="true" />
      )}
      {run !== undefined && (
        <>
          <Outcome run={run} />
          <Card title="Objective">
            <p className="text-sm whitespace-pre-wrap wrap-anywhere">{objectiveText(run.objective)}</p>
          </Card>
          <Card title="Journal" text="Each step was written down before it was taken.">
            <RunJournal steps={run.journal} />
          </Card>
          <Relatives run={run} />
          <RunAttempts run={run} />
          {isAsked && <CancelDialog run={run} onClose={() => setAsked(false)} />}
        </>
      )}
    </Page>
  )
}

function Outcome({ run: { state, error, result, journal } }: { run: AgentRunDetail }) {
  const shown = result !== null && result !== undefined && (
    <CodeBlock language="Result" what="result" code={JSON.stringify(result, null, 2)} />
  )
  if (state === 'completed') return shown || <Notice look="good" title="Done." />
  if (state === 'failed' && error !== null) {
    const { what, fix } = reasonOf(error)
    const said: unknown = typeof result === 'object' && result !== null && Reflect.get(result, 'message')
    return (
      <>
        <Notice look="bad" title={what}>
          {typeof said === 'string' && <p className="wrap-anywhere">{said}</p>}
          {fix} <code className="font-mono text-xs">{error}</code>
        </Notice>
        {shown}
      </>
    )
  }
  if (state === 'canceled' && shown)
    return (
      <>
        <Notice look="warn" title="Something was signed before it was canceled.">
          That is not undone: look at the attempts below.
        </Notice>
        {shown}
      </>
    )
  if (state !== 'awaiting_input') return null
  const asked = journal.findLast(({ kind }) => kind === 'ask')?.input
  const question: unknown =
    typeof asked === 'object' && asked !== null ? Reflect.get(asked, 'question') : undefined
  return (
    <Notice look="warn" title={typeof question === 'string' ? `It asks: ${question}` : 'It asks something.'}>
      Whoever started it answers over A2A, with a message to the same task. Without an answer it ends after a
      day.
    </Notice>
  )
}

function Relatives({ run: { agent_id, parent_run_id, children, journal } }: { run: AgentRunDetail }) {
  const { parent } = route.useSearch()
  if (children.length === 0 && parent_run_id === null) return null
  const agentOf = (runId: string) => {
    const outputs = journal.flatMap(({ kind, output }) => (kind === 'delegate' ? [output] : []))
    return outputs.map(delegatedTo).find((one) => one?.runId === runId)?.agentId
  }
  return (
    <Card title="Delegation" text="Each agent works with its own wallet, policy and budget.">
      <ul className="flex flex-col gap-1 text-sm">
        {parent_run_id !== null && (
          <Relative what="Started by run" runId={parent_run_id} agentId={parent} from={undefined} />
        )}
        {children.map((id) => (
          <Relative key={id} what="Delegated to run" runId={id} agentId={agentOf(id)} from={agent_id} />
        ))}
      </ul>
    </Card>
  )
}

/** A run of another agent; a link where that agent is known. */
function Relative({
  what,
  runId,
  agentId,
  from,
}: {
  what: string
  runId: string
  agentId: string | undefined
  from: string | undefined
}) {
  const { slug } = useOrganization()
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2">
      <span className="shrink-0 text-muted">{what}</span>
      {agentId === undefined ? (
        <Mono text={runId} what="run id" />
      ) : (
        <Link
          to="/o/$slug/agents/$agentID/runs/$runID"
          params={{ slug, agentID: agentId, runID: runId }}
          search={from === undefined ? {} : { parent: from }}
          className="truncate font-mono text-xs text-accent hover:underline"
        >
          {runId}
        </Link>
      )}
    </li>
  )
}

function delegatedTo(output: unknown): { runId: unknown; agentId: string } | undefined {
  if (typeof output !== 'object' || output === null) return undefined
  const agentId: unknown = Reflect.get(output, 'agent_id')
  return typeof agentId === 'string' ? { runId: Reflect.get(output, 'run_id'), agentId } : undefined
}

function RunAttempts({ run: { id, agent_id, ended_at } }: { run: AgentRunDetail }) {
  const { id: orgID } = useOrganization()
  const { data, error, refetch } = useQuery(runEventsQuery(orgID, agent_id, id, ended_at !== null))
  return (
    <Card title="Attempts to sign" text="What this run had signed, and what was refused.">
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {error === null && (
        <Attempts
          events={data?.items}
          empty={ended_at === null ? 'It has asked for no signature yet.' : 'It has asked for no signature.'}
        />
      )}
    </Card>
  )
}

function CancelDialog({ run: { id, agent_id }, onClose }: { run: AgentRunDetail; onClose: () => void }) {
  const { id: orgID } = useOrganization()
  const cancel = useAction({
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}/cancel', {
        params: { orgID, agentID: agent_id, runID: id },
      }),
    changes: [['org', orgID, 'agent', agent_id]],
    done: 'The run is canceled.',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title="Cancel this run?"
      action="Cancel the run"
      isBusy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate(undefined)}
      onClose={onClose}
    >
      It takes no further step, and neither do runs that it delegated to. What was sent already stays sent.
    </ConfirmDialog>
  )
}
