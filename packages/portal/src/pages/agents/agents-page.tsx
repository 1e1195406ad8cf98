import type { Agent } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Bot, Plus, SearchX } from 'lucide-react'
import { agentsQuery } from '../../data/agent-queries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Cell, LoadingRows, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { AgentDialog } from './agent-dialog.tsx'

const route = getRouteApi('/inside/o/$slug/agents')
const size = 25
const columns = [
  { title: 'Agent' },
  { title: 'Runner', isWide: true },
  { title: 'Created', isWide: true },
  { title: 'State', isEnd: true },
]
const runners = { intent: 'Plain sentences', llm: 'Language model', scripted: 'Script (tests)' }

/** The company's agents: look at one, make one. */
export function AgentsPage() {
  const { id: orgID, slug, signing_mode } = useOrganization()
  const mayChange = useMay('developer')
  const { status, page = 1, create } = route.useSearch()
  const navigate = route.useNavigate()
  const known = status === 'archived' ? 'archived' : 'active'
  const { data, error, refetch, isPlaceholderData } = useQuery(
    agentsQuery(orgID, { status: known, limit: size, offset: (page - 1) * size }),
  )
  const open = (isOpen: boolean) =>
    void navigate({
      search: ({ create: _, ...before }) => ({ ...before, ...(isOpen && { create: true as const }) }),
      replace: true,
    })
  const createButton = (
    <Button
      look="primary"
      icon={<Plus className="size-4" aria-hidden="true" />}
      disabled={!mayChange}
      title={mayChange ? undefined : 'Developers and above create agents'}
      onClick={() => open(true)}
    >
      Create an agent
    </Button>
  )

  return (
    <Page
      title="Agents"
      lead="Each works with one wallet, within its policy, for whoever calls it: over A2A, MCP, a hook or this portal."
      actions={createButton}
    >
      {signing_mode === 'client' && (
        <Notice title="Agents sign in the attested enclave.">
          This company signs in its users’ browsers. Create another company in TEE mode for agents.
        </Notice>
      )}
      <div className="max-w-60">
        <Segmented
          label="Status"
          options={[
            ['active', 'Active'],
            ['archived', 'Archived'],
          ]}
          value={known}
          onChange={(next) => void navigate({ search: next === 'archived' ? { status: next } : {} })}
        />
      </div>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.total === 0 &&
        (known === 'archived' ? (
          <EmptyState icon={SearchX} title="No agent is archived">
            An archived agent signs nothing; what it did stays to be seen here.
          </EmptyState>
        ) : (
          <EmptyState icon={Bot} title="No agents yet" action={createButton}>
            First give it a wallet with what it may lose, then a policy: how much, on which chains, to whom.
            Then anybody with a token of its sessions can give it objectives.
          </EmptyState>
        ))}
      {data?.total !== 0 && error === null && (
        <>
          <Table label="Agents" columns={columns} isStale={isPlaceholderData}>
            {data === undefined && <LoadingRows columns={columns} rows={4} />}
            {data?.items.map((agent) => (
              <AgentRow key={agent.id} agent={agent} />
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
      {create === true && mayChange && (
        <AgentDialog
          onSaved={({ id }) =>
            void navigate({ to: '/o/$slug/agents/$agentID', params: { slug, agentID: id } })
          }
          onClose={() => open(false)}
        />
      )}
    </Page>
  )
}

function AgentRow({ agent: { id, name, description, runner, created_at, status } }: { agent: Agent }) {
  const { slug } = useOrganization()
  return (
    <tr className="relative transition hover:bg-sunken">
      <Cell className="w-full max-w-0 md:w-1/2">
        <Link
          to="/o/$slug/agents/$agentID"
          params={{ slug, agentID: id }}
          className="block max-w-full truncate font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
        <span className="block truncate text-xs text-muted">{description}</span>
      </Cell>
      <Cell isWide className="whitespace-nowrap">
        {runners[runner]}
      </Cell>
      <Cell isWide className="text-muted">
        <Time at={created_at} />
      </Cell>
      <Cell isEnd>
        {status === 'active' ? <Badge look="good">Active</Badge> : <Badge look="warn">Archived</Badge>}
      </Cell>
    </tr>
  )
}
