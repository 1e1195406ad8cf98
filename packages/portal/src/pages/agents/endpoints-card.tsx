import type { Agent } from '@symbolon/sdk/portal'
import { Mono } from '../../ui/code.tsx'
import { Card } from '../../ui/page.tsx'

/** Where others reach the agent. */
export function EndpointsCard({ agent: { id, wallet_id, endpoint_url } }: { agent: Agent }) {
  const base = endpoint_url.replace(/\/a2a$/, '')
  const card = `${base}/.well-known/agent-card.json`
  const rows = [
    ['A2A', endpoint_url, 'Other agents and their clients, every generation of the protocol.'],
    ['Card', card, 'What it is and can do, for everybody.'],
    ['MCP', `${base}/mcp`, 'Its tools, for assistants and editors.'],
  ] as const
  return (
    <Card
      title="Where others reach it"
      text="With a token of one of its sessions as the bearer (as_live_…). The card needs none."
    >
      <dl className="flex flex-col divide-y divide-line text-sm">
        {rows.map(([name, url, text]) => (
          <div key={name} className="flex flex-wrap items-center gap-x-4 gap-y-0.5 py-2">
            <dt className="w-20 shrink-0 text-muted">{name}</dt>
            <dd className="flex min-w-0 flex-1 flex-col max-sm:basis-full">
              <Mono text={url} what={`${name} address`} />
              <span className="text-xs text-muted">
                {text}{' '}
                {url === card && (
                  <a href={card} target="_blank" rel="noreferrer" className="text-accent underline">
                    Look at it
                  </a>
                )}
              </span>
            </dd>
          </div>
        ))}
        <div className="flex flex-wrap items-center gap-x-4 py-2">
          <dt className="w-20 shrink-0 text-muted">Agent id</dt>
          <dd className="min-w-0">
            <Mono text={id} what="agent id" />
          </dd>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 py-2">
          <dt className="w-20 shrink-0 text-muted">Wallet</dt>
          <dd className="min-w-0">
            <Mono text={wallet_id} what="wallet id" />
          </dd>
        </div>
      </dl>
    </Card>
  )
}
