import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Pause, Play, ScrollText, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import { auditQuery } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { List } from '../../ui/list.tsx'
import { NoMatch } from '../../ui/no-match.tsx'
import { Page } from '../../ui/page.tsx'
import { pageQuery } from '../../ui/pagination.tsx'
import { AuditFilters, auditFilter, type Filters } from './audit-filters.tsx'
import { EventDialog } from './event-dialog.tsx'
import { EventRow } from './event-row.tsx'
import type { AuditEvent } from './event-titles.ts'
import { useActorNames } from './use-actor-names.ts'
import { useArrivals } from './use-arrivals.ts'
import { VerifyDialog } from './verify-dialog.tsx'

const route = getRouteApi('/inside/o/$slug/audit')
const size = 50
const followMs = 2_000
const columns = [
  { title: 'Event' },
  { title: 'By', isWide: true },
  { title: 'Result', isWide: true },
  { title: 'Time', isEnd: true },
]

/** The company's audit log: filter it, follow it live, open events, verify it. */
export function AuditPage() {
  const { page = 1, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const [isLive, setLive] = useState(false)
  const filterBy = (next: Filters) => void navigate({ search: next })

  function follow(next: boolean) {
    setLive(next)
    if (page !== 1) filterBy(filters)
  }

  return (
    <Page
      title="Audit log"
      lead="Everything that happened, in an order that can’t be changed unnoticed. You can verify it without trusting the platform."
      actions={
        <>
          <Button aria-pressed={isLive} icon={isLive ? Pause : Play} onClick={() => follow(!isLive)}>
            {isLive ? 'Stop following' : 'Follow live'}
          </Button>
          <DialogButton
            needs="viewer"
            look="primary"
            icon={ShieldCheck}
            dialog={(close) => <VerifyDialog onClose={close} />}
          >
            Verify
          </DialogButton>
        </>
      }
    >
      <AuditFilters filters={filters} onChange={filterBy} />
      <Events page={page} filters={filters} isFollowing={isLive && page === 1} onFilter={filterBy} />
    </Page>
  )
}

function Events({
  page,
  filters,
  isFollowing,
  onFilter,
}: {
  page: number
  filters: Filters
  isFollowing: boolean
  onFilter: (filters: Filters) => void
}) {
  const { id: orgID } = useOrganization()
  const [opened, setOpened] = useState<AuditEvent>()
  const query = useQuery({
    ...auditQuery(orgID, { ...auditFilter(filters), ...pageQuery(size, page) }),
    refetchInterval: isFollowing ? followMs : false,
  })
  const arrivals = useArrivals(isFollowing && !query.isPlaceholderData ? query.data?.items : undefined)
  const names = useActorNames(orgID)
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <List
        label="Events"
        columns={columns}
        query={query}
        size={size}
        rows={10}
        empty={isFiltered ? noMatch : noEvents}
      >
        {(event) => (
          <EventRow
            key={event.id}
            event={event}
            actorName={names.get(event.actor_id)}
            isNew={arrivals.has(event.id)}
            onOpen={() => setOpened(event)}
          />
        )}
      </List>
      {opened !== undefined && (
        <EventDialog
          event={opened}
          actorName={names.get(opened.actor_id)}
          onClose={() => setOpened(undefined)}
          onFilter={(next) => {
            setOpened(undefined)
            onFilter(next)
          }}
        />
      )}
    </>
  )
}

const noEvents = (
  <EmptyState icon={ScrollText} title="No events yet">
    Logins, signatures and changes to keys and settings are recorded here, starting with your first API key.
  </EmptyState>
)

const noMatch = <NoMatch noun="events">Remove a filter or choose other days.</NoMatch>
