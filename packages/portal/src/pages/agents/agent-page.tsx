import type { Agent } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Archive, Pencil, Ticket } from 'lucide-react'
import { agentQuery, agentSessionQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { boundlessText, isBoundless } from '../../policy/boundless.ts'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmAction } from '../../ui/confirm-dialog.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { BudgetGauges } from '../agent-sessions/budget-gauges.tsx'
import { PolicyFacts } from '../agent-sessions/policy-facts.tsx'
import { RunsCard } from '../runs/runs-card.tsx'
import { AgentDialog } from './agent-dialog.tsx'
import { EndpointsCard } from './endpoints-card.tsx'
import { HooksCard } from './hooks-card.tsx'

const route = getRouteApi('/inside/o/$slug/agents/$agentID')

/** One agent: its runs, budget, policy, endpoints and inbound hooks. */
export function AgentPage() {
  const { id: orgID } = useOrganization()
  const { agentID } = route.useParams()
  const query = useQuery(agentQuery(orgID, agentID))
  const agent = query.data
  return (
    <Page
      title={agent?.name ?? 'Agent'}
      lead={agent && <Lead agent={agent} />}
      actions={agent?.status === 'active' && <Actions agent={agent} />}
    >
      <Loaded query={query}>
        {(loaded) => (
          <>
            {loaded.status === 'active' ? (
              <LimitsNotice agent={loaded} />
            ) : (
              <Notice title="This agent is archived">
                Its sessions are revoked and its runs canceled. Its history stays here.
              </Notice>
            )}
            <RunsCard agent={loaded} />
            <OwnSession agent={loaded} />
            {loaded.status === 'active' && <EndpointsCard agent={loaded} />}
            <HooksCard agent={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Lead({ agent: { status, description } }: { agent: Agent }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {status === 'active' ? <Badge look="good">Active</Badge> : <Badge look="warn">Archived</Badge>}
      <span className="wrap-anywhere">{description}</span>
    </span>
  )
}

function Actions({ agent }: { agent: Agent }) {
  return (
    <>
      <DialogButton
        needs="developer"
        icon={Pencil}
        dialog={(close) => <AgentDialog agent={agent} onSaved={close} onClose={close} />}
      >
        Edit
      </DialogButton>
      <DialogButton
        needs="developer"
        look="danger"
        icon={Archive}
        dialog={(close) => <ArchiveDialog agent={agent} onClose={close} />}
      >
        Archive…
      </DialogButton>
    </>
  )
}

/** Warns while nothing limits what the agent can lose. */
function LimitsNotice({ agent: { session_id } }: { agent: Agent }) {
  const { data: session } = useQuery(agentSessionQuery(useOrganization().id, session_id))
  if (session === undefined || !isBoundless(session.effective_policy)) return null
  const { allowed_chains, expires_at } = session.effective_policy
  return (
    <Notice look="warn" title="Nothing limits what this agent can lose">
      {boundlessText({ hasAllChains: allowed_chains === null, isEndless: expires_at === null })} Edit it to
      set a total limit or the recipients it may pay.
    </Notice>
  )
}

function OwnSession({ agent: { id, session_id } }: { agent: Agent }) {
  const query = useQuery(agentSessionQuery(useOrganization().id, session_id))
  return (
    <>
      <Card
        title="Budget of its own runs"
        text="Runs from hooks, delegations and this portal spend this budget. Every minted session has a budget of its own."
        footer={
          <div className="flex flex-wrap gap-2">
            <ButtonLink to="/o/$slug/agent-sessions/$sessionID" params={{ sessionID: session_id }}>
              View signing requests
            </ButtonLink>
            <ButtonLink to="/o/$slug/agent-sessions" search={{ agent: id }}>
              <Ticket className="size-4" aria-hidden="true" /> View sessions
            </ButtonLink>
          </div>
        }
      >
        <Loaded query={query} className="h-16 rounded">
          {(session) => <BudgetGauges session={session} />}
        </Loaded>
      </Card>
      <Card title="Effective policy" text="Its policy combined with your rules.">
        <Loaded query={query} className="h-48 rounded">
          {({ effective_policy, clipped }) => <PolicyFacts policy={effective_policy} clipped={clipped} />}
        </Loaded>
      </Card>
    </>
  )
}

function ArchiveDialog({ agent: { id, name }, onClose }: { agent: Agent; onClose: () => void }) {
  const { id: orgID } = useOrganization()
  return (
    <ConfirmAction
      title={`Archive ${name}?`}
      action="Archive"
      word={name}
      run={() =>
        portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/archive', {
          params: { orgID, agentID: id },
        })
      }
      changes={['agents', 'agent', 'agent-sessions', 'agent-session']}
      done={`${name} archived.`}
      onClose={onClose}
    >
      This revokes all of its sessions, cancels its runs and turns off its hooks and endpoints. You can’t undo
      this. Its wallet doesn’t change.
    </ConfirmAction>
  )
}
