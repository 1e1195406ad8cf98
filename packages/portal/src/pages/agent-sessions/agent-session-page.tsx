import type { AgentSession } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Ban } from 'lucide-react'
import { agentSessionQuery, sessionEventsQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { Badge } from '../../ui/badge.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { Fact, Facts, MonoFact, TimeFact } from '../../ui/facts.tsx'
import { FilterSelect } from '../../ui/field.tsx'
import { IdLink } from '../../ui/links.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Pagination, pageQuery } from '../../ui/pagination.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { BudgetGauges } from './budget-gauges.tsx'
import { PolicyFacts } from './policy-facts.tsx'
import { RevokeSessionDialog } from './revoke-dialog.tsx'
import { SessionState } from './session-state.tsx'
import { SigningRequests, signingOutcomes } from './signing-requests.tsx'

const route = getRouteApi('/inside/o/$slug/agent-sessions/$sessionID')
const size = 25

/** One session: its budget, its effective policy and its signing requests. */
export function AgentSessionPage() {
  const { id: orgID } = useOrganization()
  const { sessionID } = route.useParams()
  const query = useQuery(agentSessionQuery(orgID, sessionID))
  const session = query.data
  return (
    <Page
      title={session?.name ?? 'Agent session'}
      lead={session && <Lead session={session} />}
      actions={session?.revoked_at === null && <RevokeButton session={session} />}
    >
      <Loaded query={query}>
        {(loaded) => (
          <>
            <State session={loaded} />
            <Card
              title="Budget"
              text="Reserved amounts belong to signatures in progress, or to ones whose outcome a crash left unknown. Each coin counts separately."
            >
              <BudgetGauges session={loaded} />
            </Card>
            <SessionRequests session={loaded} />
            <EffectivePolicy session={loaded} />
            <Card title="Details">
              <Details session={loaded} />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function RevokeButton({ session }: { session: AgentSession }) {
  return (
    <DialogButton
      needs="developer"
      look="danger"
      icon={Ban}
      dialog={(close) => <RevokeSessionDialog session={session} onClose={close} />}
    >
      Revoke…
    </DialogButton>
  )
}

function Lead({ session }: { session: AgentSession }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <SessionState session={session} />
      {session.token_hint === null ? (
        'The agent’s own runs use this session.'
      ) : (
        <span className="font-mono text-xs">as_live_…{session.token_hint}</span>
      )}
    </span>
  )
}

function State({ session: { status, revoked_at, expires_at } }: { session: AgentSession }) {
  if (revoked_at !== null)
    return (
      <Notice title="This session is revoked">
        It was revoked at <ExactTime at={revoked_at} /> and can’t sign anymore.
      </Notice>
    )
  if (status === 'expired' && expires_at !== null)
    return (
      <Notice title="This session has expired">
        It ended at <ExactTime at={expires_at} />. Mint another one to continue.
      </Notice>
    )
  if (status !== 'exhausted') return null
  return (
    <Notice look="warn" title="A budget is used up">
      Requests that need it are refused. Messages are still signed if the policy allows them. Mint another
      session for a new budget.
    </Notice>
  )
}

function SessionRequests({ session }: { session: AgentSession }) {
  const { id: orgID } = useOrganization()
  const { outcome, page } = route.useSearch()
  const navigate = route.useNavigate()
  const known = signingOutcomes.find(([one]) => one === outcome)?.[0]
  const { data, error, refetch } = useQuery(
    sessionEventsQuery(orgID, session.id, { ...(known && { outcome: known }), ...pageQuery(size, page) }),
  )
  return (
    <Card
      title="Signing requests"
      text="Every request of this session, recorded together with the decision."
      aside={
        <FilterSelect
          label="Outcome"
          all="All outcomes"
          className="w-auto!"
          value={known}
          options={signingOutcomes}
          onText={(next) =>
            void navigate({ search: next === '' ? {} : { outcome: next }, resetScroll: false })
          }
        />
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {error === null && (
        <SigningRequests
          events={data?.items}
          limits={session}
          empty={
            known === undefined
              ? 'No requests yet. Call /v1/agents/me/sign with the token to make the first one.'
              : 'No requests with this outcome.'
          }
        />
      )}
      {data !== undefined && data.total > size && (
        <Pagination size={size} total={data.total} resetScroll={false} />
      )}
    </Card>
  )
}

function EffectivePolicy({ session: { clipped, effective_policy } }: { session: AgentSession }) {
  return (
    <Card
      title="Effective policy"
      text="The strictest of your rules, the agent’s policy and the session’s own limits. It is computed again for every signature."
      aside={clipped.length > 0 && <Badge look="warn">{clipped.length} reduced</Badge>}
    >
      <div className="flex flex-col gap-4">
        {clipped.length > 0 && (
          <Notice look="warn" title="This session got less than it asked for">
            Your rules or the agent’s policy reduced {clipped.join(', ')}.
          </Notice>
        )}
        <PolicyFacts policy={effective_policy} clipped={clipped} />
      </div>
    </Card>
  )
}

function Details({ session }: { session: AgentSession }) {
  const { id, agent_id, wallet_id, token_hint, created_at, last_used_at, expires_at } = session
  return (
    <Facts>
      <MonoFact name="Session ID" text={id} />
      <Fact name="Wallet">
        <IdLink to="/o/$slug/wallets" search={{ wallet: wallet_id }}>
          {wallet_id}
        </IdLink>
      </Fact>
      {agent_id !== null && (
        <Fact name="Agent">
          <IdLink to="/o/$slug/agents/$agentID" params={{ agentID: agent_id }}>
            {agent_id}
          </IdLink>
        </Fact>
      )}
      <TimeFact name="Created" at={created_at} />
      {(last_used_at !== null || token_hint !== null) && (
        <Fact name="Last used">{last_used_at === null ? 'Never' : <Time at={last_used_at} />}</Fact>
      )}
      <Fact name="Expires">{expires_at === null ? 'Never' : <ExactTime at={expires_at} />}</Fact>
    </Facts>
  )
}
