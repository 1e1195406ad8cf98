import { CodeBlock, Mono } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fact, Facts, MonoFact, TimeFact } from '../../ui/facts.tsx'
import type { Filters } from './audit-filters.tsx'
import { Result } from './event-row.tsx'
import { type AuditEvent, actorNames, eventTitles } from './event-titles.ts'

/** One event in full, with filters for related events. */
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
      <Facts>
        <Fact name="Result">
          <Result event={event} />
        </Fact>
        <TimeFact name="Time" at={timestamp} />
        <Fact name="By">
          <span className="flex min-w-0 flex-1 flex-col">
            {actorNames[actor_type] ?? actor_type} {actorName}
            <Mono text={actor_id} what="actor ID" />
          </span>
          <ShowAll onClick={() => onFilter({ actor_id })} />
        </Fact>
        {wallet_id !== '' && (
          <Fact name="Wallet">
            <Mono text={wallet_id} what="wallet ID" />
            <ShowAll onClick={() => onFilter({ wallet_id })} />
          </Fact>
        )}
        {user_identity_id !== '' && <MonoFact name="User" text={user_identity_id} />}
        <MonoFact name="Event ID" text={id} />
      </Facts>
      <CodeBlock language="Payload" what="payload" code={JSON.stringify(payload, null, 2)} />
    </Dialog>
  )
}

function ShowAll({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} className="min-h-8 text-xs text-accent hover:underline">
      Show all
    </button>
  )
}
