import type { Agent } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Archive, Pencil, Ticket } from 'lucide-react'
import { useState } from 'react'
import { agentQuery, agentSessionQuery } from '../../data/agent-queries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { boundlessText, isBoundless } from '../../policy/boundless.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonForm, buttonLooks } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { BudgetGauges } from '../agent-sessions/budget-gauges.tsx'
import { PolicyFacts } from '../agent-sessions/policy-facts.tsx'
import { RunsCard } from '../runs/runs-card.tsx'
import { AgentDialog } from './agent-dialog.tsx'
import { EndpointsCard } from './endpoints-card.tsx'
import { HooksCard } from './hooks-card.tsx'

const route = getRouteApi('/inside/o/$slug/agents/$agentID')

/** One agent: its runs, its budget, where others reach it, what may trigger it, and what its policy allows. */
export function AgentPage() {
  const { id: orgID } = useOrganization()
  const mayChange = useMay('developer')
  const { agentID } = route.useParams()
  const { data: agent, error, refetch } = useQuery(agentQuery(orgID, agentID))
  const [opened, setOpened] = useState<'edit' | 'archive'>()
  const close = () => setOpened(undefined)
  const isActive = agent?.status === 'active'
  const title = mayChange ? undefined : 'Developers and above change agents'
  return (
    <Page
      title={agent?.name ?? 'Agent'}
      lead={
        agent !== undefined && (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {isActive ? <Badge look="good">Active</Badge> : <Badge look="warn">Archived</Badge>}
            <span className="wrap-anywhere">{agent.description}</span>
          </span>
        )
      }
      actions={
        isActive && (
          <>
            <Button
              disabled={!mayChange}
              title={title}
              icon={<Pencil className="size-4" aria-hidden="true" />}
              onClick={() => setOpened('edit')}
            >
              Edit
            </Button>
            <Button
              look="danger"
              disabled={!mayChange}
              title={title}
              icon={<Archive className="size-4" aria-hidden="true" />}
              onClick={() => setOpened('archive')}
            >
              Archive…
            </Button>
          </>
        )
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {agent === undefined && error === null && (
        <div className="pulse h-48 rounded-xl bg-sunken" aria-busy="true" />
      )}
      {agent !== undefined && (
        <>
          {!isActive && (
            <Notice title="This agent is archived.">
              Its sessions are revoked and its runs canceled. What it did stays here.
            </Notice>
          )}
          {isActive && <LimitsNotice agent={agent} />}
          <RunsCard agent={agent} />
          <OwnSession agent={agent} />
          {isActive && <EndpointsCard agent={agent} />}
          <HooksCard agent={agent} />
          {opened === 'edit' && <AgentDialog agent={agent} onSaved={close} onClose={close} />}
          {opened === 'archive' && <ArchiveDialog agent={agent} onClose={close} />}
        </>
      )}
    </Page>
  )
}

/** Says so while nothing limits what the agent may lose. */
function LimitsNotice({ agent: { session_id } }: { agent: Agent }) {
  const { data: session } = useQuery(agentSessionQuery(useOrganization().id, session_id))
  if (session === undefined || !isBoundless(session.effective_policy)) return null
  const { allowed_chains, expires_at } = session.effective_policy
  return (
    <Notice look="warn" title="Nothing limits what this agent can lose.">
      {boundlessText({ hasEveryChain: allowed_chains === null, isEndless: expires_at === null })} Edit it, and
      say how much in all or to whom.
    </Notice>
  )
}

function OwnSession({ agent: { id, session_id } }: { agent: Agent }) {
  const { id: orgID, slug } = useOrganization()
  const { data: session, error, refetch } = useQuery(agentSessionQuery(orgID, session_id))
  return (
    <>
      <Card
        title="Budget of its own runs"
        text="Runs from hooks, delegations and this portal spend this one. Every minted session has a budget of its own."
        footer={
          <div className="flex flex-wrap gap-2">
            <Link
              to="/o/$slug/agent-sessions/$sessionID"
              params={{ slug, sessionID: session_id }}
              className={`${buttonForm} ${buttonLooks.secondary}`}
            >
              What it tried
            </Link>
            <Link
              to="/o/$slug/agent-sessions"
              params={{ slug }}
              search={{ agent: id }}
              className={`${buttonForm} ${buttonLooks.secondary}`}
            >
              <Ticket className="size-4" aria-hidden="true" /> Its sessions
            </Link>
          </div>
        }
      >
        <ErrorNotice error={error} onRetry={() => void refetch()} />
        {session === undefined ? (
          <div className="pulse h-16 rounded bg-sunken" aria-busy="true" />
        ) : (
          <BudgetGauges session={session} />
        )}
      </Card>
      <Card title="What it may do" text="Its policy met with your rules, as it holds now.">
        {session === undefined ? (
          <div className="pulse h-48 rounded bg-sunken" aria-busy="true" />
        ) : (
          <PolicyFacts policy={session.effective_policy} clipped={session.clipped} />
        )}
      </Card>
    </>
  )
}

function ArchiveDialog({ agent: { id, name }, onClose }: { agent: Agent; onClose: () => void }) {
  const { id: orgID } = useOrganization()
  const archive = useAction({
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/archive', {
        params: { orgID, agentID: id },
      }),
    changes: [
      ['org', orgID, 'agents'],
      ['org', orgID, 'agent', id],
      ['org', orgID, 'agent-sessions'],
      ['org', orgID, 'agent-session'],
    ],
    done: `${name} is archived.`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Archive ${name}?`}
      action="Archive"
      word={name}
      isBusy={archive.isPending}
      error={archive.error}
      onConfirm={() => archive.mutate(undefined)}
      onClose={onClose}
    >
      All of its sessions are revoked, its runs canceled, its hooks and its card answer nobody any more. It
      cannot be undone. Its wallet stays as it is.
    </ConfirmDialog>
  )
}
