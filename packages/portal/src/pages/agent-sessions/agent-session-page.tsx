import type { AgentSession } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Ban } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { agentSessionQuery, sessionEventsQuery } from '../../data/agent-queries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Mono } from '../../ui/code.tsx'
import { Select } from '../../ui/field.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { Attempts } from './attempts.tsx'
import { BudgetGauges } from './budget-gauges.tsx'
import { PolicyFacts } from './policy-facts.tsx'
import { RevokeSessionDialog } from './revoke-dialog.tsx'
import { SessionState } from './session-state.tsx'

const route = getRouteApi('/inside/o/$slug/agent-sessions/$sessionID')
const size = 25
const outcomes = [
  ['allowed', 'Signed'],
  ['rejected', 'Refused'],
  ['error', 'Failed'],
] as const

/** One session: its budget, what holds for it now, and everything it tried. */
export function AgentSessionPage() {
  const { id: orgID } = useOrganization()
  const mayRevoke = useMay('developer')
  const { sessionID } = route.useParams()
  const [isAsked, setAsked] = useState(false)
  const { data: session, error, refetch } = useQuery(agentSessionQuery(orgID, sessionID))
  return (
    <Page
      title={session?.name ?? 'Agent session'}
      lead={session !== undefined && <Lead session={session} />}
      actions={
        session !== undefined &&
        session.revoked_at === null && (
          <Button
            look="danger"
            disabled={!mayRevoke}
            title={mayRevoke ? undefined : 'Developers and above revoke sessions'}
            icon={<Ban className="size-4" aria-hidden="true" />}
            onClick={() => setAsked(true)}
          >
            Revoke…
          </Button>
        )
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {session === undefined && error === null && (
        <div className="pulse h-48 rounded-xl bg-sunken" aria-busy="true" />
      )}
      {session !== undefined && (
        <>
          <State session={session} />
          <Card
            title="Budget"
            text="Held is what signatures under way have set aside, or a crash left in doubt. Each coin counts by itself."
          >
            <BudgetGauges session={session} />
          </Card>
          <SessionAttempts session={session} />
          <Card
            title="What holds now"
            text="The strictest of your rules, the agent’s policy and what the session was minted with. It is met again at every signature."
            aside={session.clipped.length > 0 && <Badge look="warn">{session.clipped.length} clipped</Badge>}
          >
            <div className="flex flex-col gap-4">
              {session.clipped.length > 0 && (
                <Notice look="warn" title="It got less than was asked for.">
                  Your rules or the agent allow less of {session.clipped.join(', ')}.
                </Notice>
              )}
              <PolicyFacts policy={session.effective_policy} clipped={session.clipped} />
            </div>
          </Card>
          <Card title="Details">
            <Details session={session} />
          </Card>
          {isAsked && <RevokeSessionDialog session={session} onClose={() => setAsked(false)} />}
        </>
      )}
    </Page>
  )
}

function Lead({ session }: { session: AgentSession }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <SessionState session={session} />
      {session.token_hint === null ? (
        'The session of an agent’s own runs.'
      ) : (
        <span className="font-mono text-xs">as_live_…{session.token_hint}</span>
      )}
    </span>
  )
}

function State({ session: { status, revoked_at, expires_at } }: { session: AgentSession }) {
  if (revoked_at !== null)
    return (
      <Notice title="This session is revoked: nothing is signed for it any more.">
        Since <ExactTime at={revoked_at} />.
      </Notice>
    )
  if (status === 'expired' && expires_at !== null)
    return (
      <Notice title="This session has ended.">
        At <ExactTime at={expires_at} />. Mint another to go on.
      </Notice>
    )
  if (status !== 'exhausted') return null
  return (
    <Notice look="warn" title="A budget is used up.">
      What would need it is refused; messages are still signed, where they are allowed. Mint another session
      for a fresh budget.
    </Notice>
  )
}

function SessionAttempts({ session }: { session: AgentSession }) {
  const { id } = session
  const { id: orgID } = useOrganization()
  const { outcome, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const known = outcomes.find(([one]) => one === outcome)?.[0]
  const { data, error, refetch } = useQuery(
    sessionEventsQuery(orgID, id, {
      ...(known !== undefined && { outcome: known }),
      limit: size,
      offset: (page - 1) * size,
    }),
  )
  return (
    <Card
      title="Attempts"
      text="Everything it tried to have signed: one entry each, written with the decision."
      aside={
        <Select
          aria-label="Outcome"
          className="w-auto!"
          value={known ?? ''}
          onChange={(event) =>
            void navigate({
              search: event.target.value === '' ? {} : { outcome: event.target.value },
              resetScroll: false,
            })
          }
        >
          <option value="">Every outcome</option>
          {outcomes.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </Select>
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {error === null && (
        <Attempts
          events={data?.items}
          limits={session}
          empty={
            known === undefined
              ? 'Nothing yet. The first call with the token to /v1/agents/me/sign makes the first entry.'
              : 'Nothing with this outcome.'
          }
        />
      )}
      {data !== undefined && data.total > size && (
        <Pagination
          page={page}
          size={size}
          total={data.total}
          onPage={(next) =>
            void navigate({ search: (before) => ({ ...before, page: next }), resetScroll: false })
          }
        />
      )}
    </Card>
  )
}

function Details({ session }: { session: AgentSession }) {
  const { slug } = useOrganization()
  const { id, agent_id, wallet_id, token_hint, created_at, last_used_at, expires_at } = session
  return (
    <dl className="flex flex-col divide-y divide-line text-sm">
      <Fact name="Session id">
        <Mono text={id} what="session id" />
      </Fact>
      <Fact name="Wallet">
        <Link
          to="/o/$slug/wallets"
          params={{ slug }}
          search={{ wallet: wallet_id }}
          className="truncate font-mono text-xs text-accent hover:underline"
        >
          {wallet_id}
        </Link>
      </Fact>
      {agent_id !== null && (
        <Fact name="Agent">
          <Link
            to="/o/$slug/agents/$agentID"
            params={{ slug, agentID: agent_id }}
            className="truncate font-mono text-xs text-accent hover:underline"
          >
            {agent_id}
          </Link>
        </Fact>
      )}
      <Fact name="Created">
        <ExactTime at={created_at} />
      </Fact>
      {(last_used_at !== null || token_hint !== null) && (
        <Fact name="Last used">{last_used_at === null ? 'never' : <Time at={last_used_at} />}</Fact>
      )}
      <Fact name="Ends">{expires_at === null ? 'never' : <ExactTime at={expires_at} />}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-4 py-1">
      <dt className="w-36 shrink-0 text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-1 items-center max-sm:basis-full">{children}</dd>
    </div>
  )
}
