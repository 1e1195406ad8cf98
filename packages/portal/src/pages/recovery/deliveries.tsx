import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../data/organization.tsx'
import { deliveriesQuery } from '../../data/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { count } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'

/** How the latest calls of the webhook went; never what they carried. */
export function Deliveries() {
  const { id: orgID } = useOrganization()
  const { data, error, refetch } = useQuery(deliveriesQuery(orgID))
  return (
    <Card title="Deliveries" text="The latest 100 calls, newest first. What they carried is not kept.">
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && (
        <p className="text-sm text-muted">Nothing has been sent yet. “Send a test” makes the first entry.</p>
      )}
      <ul className="-my-1 max-h-96 divide-y divide-line overflow-y-auto">
        {data?.map(({ id, type, at, delivered, status, error: reason, duration_ms }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
            <Badge look={delivered ? 'good' : 'bad'}>{status ?? 'no answer'}</Badge>
            <span className="font-mono text-xs">{type}</span>
            <span className="ml-auto text-xs text-muted tabular-nums">
              {count(duration_ms)} ms · <Time at={at} />
            </span>
            {reason !== null && <span className="basis-full text-xs wrap-anywhere text-bad">{reason}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
