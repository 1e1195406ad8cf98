import { Badge } from '../../ui/badge.tsx'
import { Cell, LinkRow, TimeCell } from '../../ui/table.tsx'
import { type AuditEvent, actorNames, eventTitles } from './event-titles.ts'

/** An event in the list; a click anywhere on the row opens it. */
export function EventRow({
  event,
  actorName,
  isNew,
  onOpen,
}: {
  event: AuditEvent
  actorName: string | undefined
  isNew: boolean
  onOpen: () => void
}) {
  const { event_type, actor_type, actor_id, timestamp } = event
  return (
    <LinkRow className={isNew ? 'arrive' : ''}>
      <Cell className="w-full max-w-0 md:w-1/2">
        <button
          type="button"
          onClick={onOpen}
          className="block max-w-full truncate text-left font-medium after:absolute after:inset-0"
        >
          {eventTitles[event_type] ?? event_type}
        </button>
        <span className="flex items-center gap-2 text-xs text-muted">
          <span className="truncate max-md:hidden">
            <span className="font-mono">{event_type}</span> {detailOf(event)}
          </span>
          <span className="truncate md:hidden">{actorNames[actor_type] ?? actor_type}</span>
          <span className="md:hidden">
            <Result event={event} />
          </span>
        </span>
      </Cell>
      <Cell isWide className="max-w-48">
        <span className="block">{actorNames[actor_type] ?? actor_type}</span>
        <span className={`block truncate text-xs text-muted ${actorName === undefined ? 'font-mono' : ''}`}>
          {actorName ?? actor_id}
        </span>
      </Cell>
      <Cell isWide>
        <Result event={event} />
      </Cell>
      <TimeCell isEnd at={timestamp} />
    </LinkRow>
  )
}

/** The first few plain values of the payload, which tell events of a type apart. */
function detailOf({ payload }: AuditEvent): string {
  const plain = Object.values(payload).filter((value) => ['string', 'number'].includes(typeof value))
  return plain
    .slice(0, 3)
    .map((value) => ` · ${String(value).slice(0, 42)}`)
    .join('')
}

/** Whether the action succeeded, or its error code. */
export function Result({ event: { success, error_code } }: { event: AuditEvent }) {
  return success ? <Badge look="good">Succeeded</Badge> : <Badge look="bad">{error_code || 'Failed'}</Badge>
}
