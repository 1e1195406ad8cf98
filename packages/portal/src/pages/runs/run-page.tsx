import type { AgentRunDetail } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Ban } from 'lucide-react'
import { agentQuery, runEventsQuery, runQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { CodeBlock, Mono } from '../../ui/code.tsx'
import { ConfirmAction } from '../../ui/confirm-dialog.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { IdLink, TextLink } from '../../ui/links.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { reasonOf } from '../agent-sessions/reasons.ts'
import { SigningRequests } from '../agent-sessions/signing-requests.tsx'
import { RunJournal } from './run-journal.tsx'
import { objectiveText, RunState, runSources } from './run-state.tsx'
import { valueAt } from './value-at.ts'

const route = getRouteApi('/inside/o/$slug/agents/$agentID/runs/$runID')
const liveMs = 1_500

/** One run, followed until it ends: its outcome, objective, journal, delegations and signing requests. */
export function RunPage() {
  const { id: orgID } = useOrganization()
  const { agentID, runID } = route.useParams()
  const query = useQuery({
    ...runQuery(orgID, agentID, runID),
    refetchInterval: ({ state }) => (state.data?.ended_at === null ? liveMs : false),
  })
  return (
    <Page
      title="Run"
      lead={<Lead run={query.data} />}
      actions={query.data?.ended_at === null && <CancelButton run={query.data} />}
    >
      <Loaded query={query}>
        {(run) => (
          <>
            <Outcome run={run} />
            <Card title="Objective">
              <p className="text-sm whitespace-pre-wrap wrap-anywhere">{objectiveText(run.objective)}</p>
            </Card>
            <Card title="Journal" text="Each step is recorded before it’s taken.">
              <RunJournal steps={run.journal} />
            </Card>
            <Delegations run={run} />
            <RunRequests run={run} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Lead({ run }: { run: AgentRunDetail | undefined }) {
  const { agentID } = route.useParams()
  const { data: agent } = useQuery(agentQuery(useOrganization().id, agentID))
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {run !== undefined && <RunState run={run} />}
      <span>
        of{' '}
        <TextLink to="/o/$slug/agents/$agentID" params={{ agentID }}>
          {agent?.name ?? 'its agent'}
        </TextLink>
        {run !== undefined && (
          <>
            , started {runSources[run.source]} <Time at={run.created_at} />
          </>
        )}
      </span>
    </span>
  )
}

function Outcome({ run }: { run: AgentRunDetail }) {
  const { state, error, result } = run
  const shown = result !== null && result !== undefined && (
    <CodeBlock language="Result" what="result" code={JSON.stringify(result, null, 2)} />
  )
  if (state === 'completed') return shown || <Notice look="good" title="Completed" />
  if (state === 'failed' && error !== null) {
    const { what, fix } = reasonOf(error)
    const message = valueAt(result, 'message')
    return (
      <>
        <Notice look="bad" title={what}>
          {typeof message === 'string' && <p className="wrap-anywhere">{message}</p>}
          {fix} <code className="font-mono text-xs">{error}</code>
        </Notice>
        {shown}
      </>
    )
  }
  if (state === 'canceled' && shown)
    return (
      <>
        <Notice look="warn" title="The run signed something before it was canceled">
          Canceling doesn’t undo it. Check the signing requests below.
        </Notice>
        {shown}
      </>
    )
  return state === 'awaiting_input' ? <Question run={run} /> : null
}

function Question({ run: { journal } }: { run: AgentRunDetail }) {
  const question = valueAt(journal.findLast(({ kind }) => kind === 'ask')?.input, 'question')
  return (
    <Notice
      look="warn"
      title={typeof question === 'string' ? `The agent asks: ${question}` : 'The agent has a question'}
    >
      Whoever started the run can answer over A2A with a message to the same task. Without an answer, the run
      ends after a day.
    </Notice>
  )
}

function Delegations({ run: { agent_id, parent_run_id, children, journal } }: { run: AgentRunDetail }) {
  const { parent } = route.useSearch()
  if (children.length === 0 && parent_run_id === null) return null
  const agentOf = (runId: string) => {
    const step = journal.find(
      ({ kind, output }) => kind === 'delegate' && valueAt(output, 'run_id') === runId,
    )
    const agentId = valueAt(step?.output, 'agent_id')
    return typeof agentId === 'string' ? agentId : undefined
  }
  return (
    <Card title="Delegation" text="Each agent works with its own wallet, policy and budget.">
      <ul className="flex flex-col gap-1 text-sm">
        {parent_run_id !== null && (
          <OtherRun what="Started by run" runId={parent_run_id} agentId={parent} from={undefined} />
        )}
        {children.map((id) => (
          <OtherRun key={id} what="Delegated to run" runId={id} agentId={agentOf(id)} from={agent_id} />
        ))}
      </ul>
    </Card>
  )
}

/** A run of another agent; a link if that agent is known. */
function OtherRun({
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
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2">
      <span className="shrink-0 text-muted">{what}</span>
      {agentId === undefined ? (
        <Mono text={runId} what="run ID" />
      ) : (
        <IdLink
          to="/o/$slug/agents/$agentID/runs/$runID"
          params={{ agentID: agentId, runID: runId }}
          search={from === undefined ? {} : { parent: from }}
        >
          {runId}
        </IdLink>
      )}
    </li>
  )
}

function RunRequests({ run: { id, agent_id, ended_at } }: { run: AgentRunDetail }) {
  const { id: orgID } = useOrganization()
  const { data, error, refetch } = useQuery(runEventsQuery(orgID, agent_id, id, ended_at !== null))
  return (
    <Card title="Signing requests" text="What this run had signed, and what was refused.">
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {error === null && (
        <SigningRequests
          events={data?.items}
          empty={ended_at === null ? 'No signing requests yet.' : 'No signing requests.'}
        />
      )}
    </Card>
  )
}

function CancelButton({ run }: { run: AgentRunDetail }) {
  return (
    <DialogButton
      needs="developer"
      look="danger"
      icon={Ban}
      dialog={(close) => <CancelDialog run={run} onClose={close} />}
    >
      Cancel run…
    </DialogButton>
  )
}

function CancelDialog({ run: { id, agent_id }, onClose }: { run: AgentRunDetail; onClose: () => void }) {
  const { id: orgID } = useOrganization()
  return (
    <ConfirmAction
      title="Cancel this run?"
      action="Cancel run"
      run={() =>
        portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}/cancel', {
          params: { orgID, agentID: agent_id, runID: id },
        })
      }
      changes={['agent']}
      done="Run canceled."
      onClose={onClose}
    >
      It stops before its next step, and so do runs that it delegated to. Transactions already sent can’t be
      undone.
    </ConfirmAction>
  )
}
