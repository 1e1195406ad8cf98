import type { Agent } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Bot, Plus, SearchX } from 'lucide-react'
import { agentsQuery } from '../../data/agent-queries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { Badge } from '../../ui/badge.tsx'
import { RoleButton } from '../../ui/dialog-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CompanyLink } from '../../ui/links.tsx'
import { List } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { pageQuery } from '../../ui/pagination.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Cell, LinkRow, TimeCell } from '../../ui/table.tsx'
import { useFlag } from '../../ui/use-flag.ts'
import { AgentDialog } from './agent-dialog.tsx'

const route = getRouteApi('/inside/o/$slug/agents')
const size = 25
const columns = [
  { title: 'Agent' },
  { title: 'Runner', isWide: true },
  { title: 'Created', isWide: true },
  { title: 'Status', isEnd: true },
]
const runners = { intent: 'Plain sentences', llm: 'Language model', scripted: 'Script (tests)' }

/** The company's agents, and how to create one. */
export function AgentsPage() {
  const { id: orgID, signing_mode } = useOrganization()
  const mayChange = useMay('developer')
  const { status, page } = route.useSearch()
  const known = status === 'archived' ? 'archived' : 'active'
  const query = useQuery(agentsQuery(orgID, { status: known, ...pageQuery(size, page) }))
  const [isCreating, setCreating] = useFlag('create')
  const createButton = (
    <RoleButton needs="developer" look="primary" icon={Plus} onClick={() => setCreating(true)}>
      Create agent
    </RoleButton>
  )
  return (
    <Page
      title="Agents"
      lead="An agent works with one wallet, within its policy. Start it over A2A, MCP, a hook or from this portal."
      actions={createButton}
    >
      {signing_mode === 'client' && (
        <Notice title="Agents need TEE mode">
          This company’s keys sign in users’ browsers. Create another company in TEE mode for agents.
        </Notice>
      )}
      <StatusFilter value={known} />
      <List
        label="Agents"
        columns={columns}
        query={query}
        size={size}
        rows={4}
        empty={
          known === 'archived' ? (
            <EmptyState icon={SearchX} title="No archived agents">
              Archived agents can’t sign. Their history stays here.
            </EmptyState>
          ) : (
            <EmptyState icon={Bot} title="No agents yet" action={createButton}>
              Give an agent a wallet with only what you can afford to lose, and a policy: how much, on which
              chains, to whom. Then anyone with a token of one of its sessions can give it objectives.
            </EmptyState>
          )
        }
      >
        {(agent) => <AgentRow key={agent.id} agent={agent} />}
      </List>
      {isCreating && mayChange && <CreateAgent onClose={() => setCreating(false)} />}
    </Page>
  )
}

function StatusFilter({ value }: { value: 'active' | 'archived' }) {
  const navigate = route.useNavigate()
  return (
    <div className="max-w-60">
      <Segmented
        label="Status"
        options={[
          ['active', 'Active'],
          ['archived', 'Archived'],
        ]}
        value={value}
        onChange={(next) => void navigate({ search: next === 'archived' ? { status: next } : {} })}
      />
    </div>
  )
}

function CreateAgent({ onClose }: { onClose: () => void }) {
  const navigate = route.useNavigate()
  const { slug } = useOrganization()
  const open = ({ id }: Agent) =>
    void navigate({ to: '/o/$slug/agents/$agentID', params: { slug, agentID: id } })
  return <AgentDialog onSaved={open} onClose={onClose} />
}

function AgentRow({ agent: { id, name, description, runner, created_at, status } }: { agent: Agent }) {
  return (
    <LinkRow>
      <Cell className="w-full max-w-0 md:w-1/2">
        <CompanyLink
          to="/o/$slug/agents/$agentID"
          params={{ agentID: id }}
          className="block max-w-full truncate font-medium after:absolute after:inset-0"
        >
          {name}
        </CompanyLink>
        <span className="block truncate text-xs text-muted">{description}</span>
      </Cell>
      <Cell isWide className="whitespace-nowrap">
        {runners[runner]}
      </Cell>
      <TimeCell isWide at={created_at} />
      <Cell isEnd>
        {status === 'active' ? <Badge look="good">Active</Badge> : <Badge look="warn">Archived</Badge>}
      </Cell>
    </LinkRow>
  )
}
