import type { AgentSession } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, Ticket } from 'lucide-react'
import type { ReactNode } from 'react'
import { agentsQuery, sessionsQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterSelect } from '../../ui/field.tsx'
import { CompanyLink, PrimaryLink } from '../../ui/links.tsx'
import { List } from '../../ui/list.tsx'
import { NoMatch } from '../../ui/no-match.tsx'
import { Page } from '../../ui/page.tsx'
import { pageQuery } from '../../ui/pagination.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Cell, LinkRow } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useFlag } from '../../ui/use-flag.ts'
import { isId } from '../wallets/wallet-search.ts'
import { BudgetGlance } from './budget-gauges.tsx'
import { MintDialog } from './mint-dialog.tsx'
import { SessionState, sessionStates } from './session-state.tsx'

const route = getRouteApi('/inside/o/$slug/agent-sessions')
const size = 25
const columns = [
  { title: 'Session' },
  { title: 'Budget', isWide: true },
  { title: 'Last used', isWide: true },
  { title: 'Status', isEnd: true },
]

/** The company's agent sessions with their budgets, and how to mint one. */
export function AgentSessionsPage() {
  const { id: orgID } = useOrganization()
  const { agent } = route.useSearch()
  const { data: agents } = useQuery(agentsQuery(orgID, { limit: 100 }))
  const names = (agents?.items ?? []).map(({ id, name }) => [id, name] as const)
  const [isMinting, setMinting] = useFlag('mint')
  const mintButton = (
    <Button look="primary" icon={Plus} onClick={() => setMinting(true)}>
      Mint session
    </Button>
  )
  return (
    <Page
      title="Agent sessions"
      lead="A session’s token signs with one wallet, within limits that the enclave enforces."
      actions={mintButton}
    >
      <Filters agents={names} />
      <List
        label="Agent sessions"
        columns={columns}
        query={useSessions()}
        size={size}
        empty={<Empty mint={mintButton} />}
      >
        {(session) => (
          <SessionRow
            key={session.id}
            session={session}
            agentName={names.find(([id]) => id === session.agent_id)?.[1]}
          />
        )}
      </List>
      {isMinting && <MintDialog agentId={agent} onClose={() => setMinting(false)} />}
    </Page>
  )
}

/** The sessions that the filters in the address select. A wallet filter that is not an ID matches none. */
function useSessions() {
  const { id: orgID } = useOrganization()
  const { status, agent, wallet, page } = route.useSearch()
  const known = sessionStates.find(([state]) => state === status)?.[0]
  const canMatch = wallet === undefined || isId(wallet)
  const query = useQuery({
    ...sessionsQuery(orgID, {
      ...(known !== undefined && { status: known }),
      ...(agent !== undefined && { agent_id: agent }),
      ...(wallet !== undefined && { wallet_id: wallet.toLowerCase() }),
      ...pageQuery(size, page),
    }),
    enabled: canMatch,
  })
  return canMatch ? query : { ...query, data: { items: [], total: 0 } }
}

function Filters({ agents }: { agents: readonly (readonly [id: string, name: string])[] }) {
  const { status, agent, wallet } = route.useSearch()
  const navigate = route.useNavigate()
  const set = (changed: { status?: string; agent?: string; wallet?: string }) =>
    void navigate({ search: ({ page: _, ...before }) => ({ ...before, ...changed }) })
  return (
    <div className="flex flex-wrap gap-2">
      <SearchField
        label="Search sessions"
        placeholder="ID of a wallet or session"
        value={wallet ?? ''}
        onSearch={(text) => set({ wallet: text })}
      />
      <FilterSelect
        label="Status"
        all="All statuses"
        value={status}
        options={sessionStates}
        onText={(text) => set({ status: text })}
      />
      <FilterSelect
        label="Agent"
        all="All agents, and none"
        className="w-auto! max-w-64 min-w-0 max-sm:flex-1 max-sm:basis-0"
        value={agent}
        options={agents}
        onText={(text) => set({ agent: text })}
      />
    </div>
  )
}

function Empty({ mint }: { mint: ReactNode }) {
  const { status, agent, wallet } = route.useSearch()
  if (status === undefined && agent === undefined && wallet === undefined)
    return (
      <EmptyState icon={Ticket} title="No sessions yet" action={mint}>
        Your backend mints a session for a wallet, with a budget, the chains and recipients it may use, and an
        expiry. Give its token to a bot. Every agent already has a session of its own.
      </EmptyState>
    )
  return (
    <NoMatch
      noun="sessions"
      action={
        wallet !== undefined &&
        isId(wallet) && (
          <PrimaryLink to="/o/$slug/agent-sessions/$sessionID" params={{ sessionID: wallet.toLowerCase() }}>
            Open the session with this ID
          </PrimaryLink>
        )
      }
    >
      {wallet === undefined
        ? 'Choose another status or agent.'
        : 'Search by the full ID of a session or of its wallet.'}
    </NoMatch>
  )
}

function SessionRow({ session, agentName }: { session: AgentSession; agentName: string | undefined }) {
  const { id, name, token_hint, last_used_at } = session
  return (
    <LinkRow>
      <Cell className="w-full max-w-0 md:w-2/5">
        <CompanyLink
          to="/o/$slug/agent-sessions/$sessionID"
          params={{ sessionID: id }}
          className="block max-w-full truncate font-medium after:absolute after:inset-0"
        >
          {name}
        </CompanyLink>
        <span className="block truncate text-xs text-muted">
          {token_hint === null ? 'Own runs' : <span className="font-mono">as_live_…{token_hint}</span>}
          {agentName !== undefined && ` · ${agentName}`}
        </span>
        <span className="mt-1.5 block md:hidden">
          <BudgetGlance session={session} />
        </span>
      </Cell>
      <Cell isWide>
        <BudgetGlance session={session} />
      </Cell>
      <Cell isWide className="text-muted">
        {last_used_at === null ? token_hint !== null && 'Never' : <Time at={last_used_at} />}
      </Cell>
      <Cell isEnd>
        <SessionState session={session} />
      </Cell>
    </LinkRow>
  )
}
