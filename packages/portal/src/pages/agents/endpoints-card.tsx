import type { Agent } from '@symbolon/sdk/portal'
import { Mono } from '../../ui/code.tsx'
import { Fact, Facts, MonoFact } from '../../ui/facts.tsx'
import { Card } from '../../ui/page.tsx'

/** The URLs under which others reach the agent, and its IDs. */
export function EndpointsCard({ agent: { id, wallet_id, endpoint_url } }: { agent: Agent }) {
  const base = endpoint_url.replace(/\/a2a$/, '')
  const card = `${base}/.well-known/agent-card.json`
  const rows = [
    ['A2A', endpoint_url, 'For other agents and their clients, in every version of the protocol.'],
    ['Agent card', card, 'What it is and can do. Public.'],
    ['MCP', `${base}/mcp`, 'Its tools, for assistants and editors.'],
  ] as const
  return (
    <Card
      title="Endpoints"
      text="Callers authenticate with the token of one of its sessions (as_live_…). Only the agent card is public."
    >
      <Facts>
        {rows.map(([name, url, text]) => (
          <Fact key={name} name={name}>
            <span className="flex min-w-0 flex-col">
              <Mono text={url} what={`${name} URL`} />
              <span className="text-xs text-muted">
                {text}{' '}
                {url === card && (
                  <a href={card} target="_blank" rel="noreferrer" className="text-accent underline">
                    Open it
                  </a>
                )}
              </span>
            </span>
          </Fact>
        ))}
        <MonoFact name="Agent ID" text={id} />
        <MonoFact name="Wallet ID" text={wallet_id} />
      </Facts>
    </Card>
  )
}
