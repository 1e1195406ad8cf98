import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { agentsQuery, sessionsQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { count } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { SessionState } from '../agent-sessions/session-state.tsx'

const shown = 5

/** Who signs with a wallet beside its owner: its newest agent sessions, and agents by that of their own runs. */
export function WalletAgents({ walletId }: { walletId: string }) {
  const { id: orgID, slug } = useOrganization()
  const { data, error, refetch } = useQuery(sessionsQuery(orgID, { wallet_id: walletId, limit: shown }))
  const { data: agents } = useQuery(agentsQuery(orgID, { limit: 100 }))
  const nameOf = (agentId: string) => agents?.items.find(({ id }) => id === agentId)?.name ?? 'An agent'
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">Agents and sessions</h3>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && (
        <div className="pulse h-10 rounded bg-sunken" aria-busy="true" />
      )}
      {data?.total === 0 && <p className="text-sm text-muted">None: no agent signs with it.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {data?.items.map((session) => (
          <li key={session.id} className="flex min-w-0 items-center gap-3 py-2 text-sm">
            {session.agent_id !== null && session.token_hint === null ? (
              <Link
                to="/o/$slug/agents/$agentID"
                params={{ slug, agentID: session.agent_id }}
                className="min-w-0 flex-1 truncate text-accent hover:underline"
              >
                {nameOf(session.agent_id)} <span className="text-xs text-muted">agent</span>
              </Link>
            ) : (
              <Link
                to="/o/$slug/agent-sessions/$sessionID"
                params={{ slug, sessionID: session.id }}
                className="min-w-0 flex-1 truncate text-accent hover:underline"
              >
                {session.name}
              </Link>
            )}
            <SessionState session={session} />
          </li>
        ))}
      </ul>
      {data !== undefined && data.total > shown && (
        <Link
          to="/o/$slug/agent-sessions"
          params={{ slug }}
          search={{ wallet: walletId }}
          className="text-sm text-accent underline"
        >
          All {count(data.total)}
        </Link>
      )}
    </section>
  )
}
