import type { AgentSession } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus, SearchX, Ticket } from 'lucide-react'
import { agentsQuery, sessionsQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { Button, buttonForm, buttonLooks } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Cell, LoadingRows, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
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
  { title: 'State', isEnd: true },
]

/** The company's agent sessions: what each may still spend, and how to mint one. */
export function AgentSessionsPage() {
  const { id: orgID, slug } = useOrganization()
  const { status, agent, wallet, page = 1, mint } = route.useSearch()
  const navigate = route.useNavigate()
  const known = sessionStates.find(([state]) => state === status)?.[0]
  const isSearchable = wallet === undefined || isId(wallet)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...sessionsQuery(orgID, {
      ...(known !== undefined && { status: known }),
      ...(agent !== undefined && { agent_id: agent }),
      ...(wallet !== undefined && { wallet_id: wallet.toLowerCase() }),
      limit: size,
      offset: (page - 1) * size,
    }),
    enabled: isSearchable,
  })
  const isEmpty = !isSearchable || data?.total === 0
  const { data: agents } = useQuery(agentsQuery(orgID, { limit: 100 }))
  const isFiltered = known !== undefined || agent !== undefined || wallet !== undefined
  const set = (changed: { status?: string; agent?: string; wallet?: string }) =>
    void navigate({ search: ({ page: _, ...before }) => ({ ...before, ...changed }) })
  const open = (isOpen: boolean) =>
    void navigate({
      search: ({ mint: _, ...before }) => ({ ...before, ...(isOpen && { mint: true as const }) }),
      replace: true,
    })
  const mintButton = (
    <Button look="primary" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => open(true)}>
      Mint a session
    </Button>
  )

  return (
    <Page
      title="Agent sessions"
      lead="A token that signs with one wallet, within limits that the enclave enforces on what is signed."
      actions={mintButton}
    >
      <div className="flex flex-wrap gap-2">
        <SearchField
          label="Search sessions"
          placeholder="Id of a wallet or session"
          value={wallet ?? ''}
          onSearch={(text) => set({ wallet: text })}
        />
        <Select
          aria-label="Status"
          className="w-auto! min-w-0 max-sm:flex-1 max-sm:basis-0"
          value={known ?? ''}
          onChange={(event) => set({ status: event.target.value })}
        >
          <option value="">Every status</option>
          {sessionStates.map(([state, text]) => (
            <option key={state} value={state}>
              {text}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Agent"
          className="w-auto! max-w-64 min-w-0 max-sm:flex-1 max-sm:basis-0"
          value={agent ?? ''}
          onChange={(event) => set({ agent: event.target.value })}
        >
          <option value="">Every agent, and none</option>
          {agents?.items.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {isEmpty && isFiltered && (
        <EmptyState
          icon={SearchX}
          title="No session matches"
          action={
            <div className="flex flex-wrap justify-center gap-2">
              {wallet !== undefined && isId(wallet) && (
                <Link
                  to="/o/$slug/agent-sessions/$sessionID"
                  params={{ slug, sessionID: wallet.toLowerCase() }}
                  className={`${buttonForm} ${buttonLooks.primary}`}
                >
                  Open the session with this id
                </Link>
              )}
              <Button onClick={() => void navigate({ search: {} })}>Show all sessions</Button>
            </div>
          }
        >
          {wallet === undefined
            ? 'Choose another status or agent.'
            : 'Sessions are found by the whole id of their wallet, or by their own.'}
        </EmptyState>
      )}
      {isEmpty && !isFiltered && (
        <EmptyState icon={Ticket} title="No sessions yet" action={mintButton}>
          Your backend mints a session for a wallet: with a budget, the chains and recipients it may use, and
          an end. Its token is what you give to a bot. An agent has one of its own from the start.
        </EmptyState>
      )}
      {!isEmpty && error === null && (
        <>
          <Table label="Agent sessions" columns={columns} isStale={isPlaceholderData}>
            {data === undefined && <LoadingRows columns={columns} rows={6} />}
            {data?.items.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                agentName={agents?.items.find(({ id }) => id === session.agent_id)?.name}
              />
            ))}
          </Table>
          {data !== undefined && (
            <Pagination
              page={page}
              size={size}
              total={data.total}
              onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
            />
          )}
        </>
      )}
      {mint === true && <MintDialog agentId={agent} onClose={() => open(false)} />}
    </Page>
  )
}

function SessionRow({ session, agentName }: { session: AgentSession; agentName: string | undefined }) {
  const { slug } = useOrganization()
  const { id, name, token_hint, last_used_at } = session
  return (
    <tr className="relative transition hover:bg-sunken">
      <Cell className="w-full max-w-0 md:w-2/5">
        <Link
          to="/o/$slug/agent-sessions/$sessionID"
          params={{ slug, sessionID: id }}
          className="block max-w-full truncate font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
        <span className="block truncate text-xs text-muted">
          {token_hint === null ? 'its own runs' : <span className="font-mono">as_live_…{token_hint}</span>}
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
        {last_used_at === null ? token_hint !== null && 'never' : <Time at={last_used_at} />}
      </Cell>
      <Cell isEnd>
        <SessionState session={session} />
      </Cell>
    </tr>
  )
}
