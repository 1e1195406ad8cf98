import type { ReactNode } from 'react'
import { CodeBlock, Mono } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ExactTime } from '../../ui/time.tsx'
import type { Filters } from './audit-filters.tsx'
import { Result } from './event-row.tsx'
import { type AuditEvent, actorNames, eventTitles } from './event-titles.ts'

/** One event in full, with ways to its relatives. */
export function EventDialog({
  event,
  actorName,
  onClose,
  onFilter,
}: {
  event: AuditEvent
  actorName: string | undefined
  onClose: () => void
  onFilter: (filters: Filters) => void
}) {
  const { id, event_type, timestamp, actor_type, actor_id, wallet_id, user_identity_id, payload } = event
  return (
    <Dialog
      form="side"
      title={eventTitles[event_type] ?? event_type}
      text={<span className="font-mono text-xs">{event_type}</span>}
      onClose={onClose}
    >
      <dl className="flex flex-col divide-y divide-line text-sm">
        <Fact name="Result">
          <Result event={event} />
        </Fact>
        <Fact name="When">
          <ExactTime at={timestamp} />
        </Fact>
        <Fact name="By" onFilter={() => onFilter({ actor_id })}>
          <span className="flex min-w-0 flex-col">
            {actorNames[actor_type] ?? actor_type} {actorName}
            <Mono text={actor_id} what="actor id" />
          </span>
        </Fact>
        {wallet_id !== '' && (
          <Fact name="Wallet" onFilter={() => onFilter({ wallet_id })}>
            <Mono text={wallet_id} what="wallet id" />
          </Fact>
        )}
        {user_identity_id !== '' && (
          <Fact name="User">
            <Mono text={user_identity_id} what="user id" />
          </Fact>
        )}
        <Fact name="Event id">
          <Mono text={id} what="event id" />
        </Fact>
      </dl>
      <CodeBlock language="Payload" what="payload" code={JSON.stringify(payload, null, 2)} />
    </Dialog>
  )
}

function Fact({ name, children, onFilter }: { name: string; children: ReactNode; onFilter?: () => void }) {
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-4 py-1.5">
      <dt className="w-24 shrink-0 text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-1 items-center justify-between gap-2 max-sm:basis-full">
        {children}
        {onFilter !== undefined && (
          <button
            type="button"
            onClick={onFilter}
            className="min-h-8 shrink-0 text-xs text-accent hover:underline"
          >
            All of these
          </button>
        )}
      </dd>
    </div>
  )
}
