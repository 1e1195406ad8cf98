import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../data/organization.tsx'
import { deliveriesQuery } from '../../data/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { count } from '../../ui/format.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'

/** The latest calls to the webhook with their results, never their contents. */
export function Deliveries() {
  const query = useQuery(deliveriesQuery(useOrganization().id))
  return (
    <Card title="Deliveries" text="The latest 100 calls, newest first. Their contents aren’t stored.">
      <Loaded query={query} className="h-16 rounded">
        {(deliveries) => (
          <>
            {deliveries.length === 0 && (
              <p className="text-sm text-muted">No deliveries yet. Send a test to see the first one.</p>
            )}
            <ul className="-my-1 max-h-96 divide-y divide-line overflow-y-auto">
              {deliveries.map(({ id, type, at, delivered, status, error, duration_ms }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
                  <Badge look={delivered ? 'good' : 'bad'}>{status ?? 'No response'}</Badge>
                  <span className="font-mono text-xs">{type}</span>
                  <span className="ml-auto text-xs text-muted tabular-nums">
                    {count(duration_ms)} ms · <Time at={at} />
                  </span>
                  {error !== null && (
                    <span className="basis-full text-xs wrap-anywhere text-bad">{error}</span>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Card>
  )
}
