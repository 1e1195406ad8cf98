import type { AgentSession } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { agentsQuery, sessionsQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { count } from '../../ui/format.ts'
import { CompanyLink, TextLink } from '../../ui/links.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { SessionState } from '../agent-sessions/session-state.tsx'

const shown = 5
const look = 'min-w-0 flex-1 truncate text-accent hover:underline'

/** The agents and agent sessions that sign with a wallet, newest first. */
export function WalletAgents({ walletId }: { walletId: string }) {
  const { id: orgID } = useOrganization()
  const query = useQuery(sessionsQuery(orgID, { wallet_id: walletId, limit: shown }))
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">Agents and sessions</h3>
      <Loaded query={query} className="h-10 rounded">
        {({ items, total }) => (
          <>
            {total === 0 && <p className="text-sm text-muted">No agent signs with this wallet.</p>}
            <ul className="flex flex-col divide-y divide-line">
              {items.map((session) => (
                <li key={session.id} className="flex min-w-0 items-center gap-3 py-2 text-sm">
                  <SignerLink session={session} />
                  <SessionState session={session} />
                </li>
              ))}
            </ul>
            {total > shown && (
              <span className="text-sm">
                <TextLink to="/o/$slug/agent-sessions" search={{ wallet: walletId }}>
                  Show all {count(total)}
                </TextLink>
              </span>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** A link to a session, or to the agent whose own runs use it. */
function SignerLink({ session: { id, name, agent_id, token_hint } }: { session: AgentSession }) {
  const { data: agents } = useQuery(agentsQuery(useOrganization().id, { limit: 100 }))
  if (agent_id === null || token_hint !== null)
    return (
      <CompanyLink to="/o/$slug/agent-sessions/$sessionID" params={{ sessionID: id }} className={look}>
        {name}
      </CompanyLink>
    )
  return (
    <CompanyLink to="/o/$slug/agents/$agentID" params={{ agentID: agent_id }} className={look}>
      {agents?.items.find((agent) => agent.id === agent_id)?.name ?? 'Agent'}{' '}
      <span className="text-xs text-muted">agent</span>
    </CompanyLink>
  )
}
