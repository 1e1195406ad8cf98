import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Pause, Play, ScrollText, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import type { Query } from '../../data/portal-client.ts'
import { auditQuery } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { LoadingRows, Table } from '../../ui/table.tsx'
import { AuditFilters, type Filters } from './audit-filters.tsx'
import { EventDialog } from './event-dialog.tsx'
import { EventRow } from './event-row.tsx'
import type { AuditEvent } from './event-titles.ts'
import { useActorNames } from './use-actor-names.ts'
import { useArrivals } from './use-arrivals.ts'
import { VerifyDialog } from './verify-dialog.tsx'

const route = getRouteApi('/inside/o/$slug/audit')
const size = 50
const tailMs = 2_000
const columns = [
  { title: 'Event' },
  { title: 'By', isWide: true },
  { title: 'Result', isWide: true },
  { title: 'When', isEnd: true },
]

/** The company's audit log: filtered by its address, followed live, looked into, verified. */
export function AuditPage() {
  const { id: orgID } = useOrganization()
  const { page = 1, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const [isLive, setLive] = useState(false)
  const [shown, setShown] = useState<AuditEvent>()
  const [isVerifying, setVerifying] = useState(false)
  const isTailing = isLive && page === 1
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...auditQuery(orgID, { ...queryOf(filters), limit: size, offset: (page - 1) * size }),
    refetchInterval: isTailing ? tailMs : false,
  })
  const arrivals = useArrivals(isTailing && !isPlaceholderData ? data?.items : undefined)
  const names = useActorNames(orgID)
  const isFiltered = Object.keys(filters).length > 0
  const filterBy = (next: Filters) => void navigate({ search: next })

  return (
    <Page
      title="Audit log"
      lead="Everything that matters, in an order nobody can change unseen. Verifying it needs no trust in the platform."
      actions={
        <>
          <Button
            aria-pressed={isLive}
            icon={
              isLive ? (
                <Pause className="size-4" aria-hidden="true" />
              ) : (
                <Play className="size-4" aria-hidden="true" />
              )
            }
            onClick={() => {
              setLive(!isLive)
              if (page !== 1) filterBy(filters)
            }}
          >
            {isLive ? 'Stop following' : 'Follow live'}
          </Button>
          <Button
            look="primary"
            icon={<ShieldCheck className="size-4" aria-hidden="true" />}
            onClick={() => setVerifying(true)}
          >
            Verify
          </Button>
        </>
      }
    >
      <AuditFilters filters={filters} onChange={filterBy} />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.total === 0 && (
        <EmptyState
          icon={ScrollText}
          title={isFiltered ? 'No event matches' : 'No events yet'}
          action={isFiltered && <Button onClick={() => filterBy({})}>Show all events</Button>}
        >
          {isFiltered
            ? 'Loosen the filters, or look at another time.'
            : 'Logins, signatures, keys and settings leave an event each. The first comes with your first key.'}
        </EmptyState>
      )}
      {data?.total !== 0 && error === null && (
        <>
          <Table label="Events" columns={columns} isStale={isPlaceholderData}>
            {data === undefined && <LoadingRows columns={columns} rows={10} />}
            {data?.items.map((event) => (
              <EventRow
                key={event.id}
                event={event}
                actorName={names.get(event.actor_id)}
                isNew={arrivals.has(event.id)}
                onOpen={() => setShown(event)}
              />
            ))}
          </Table>
          {data !== undefined && (
            <Pagination
              page={page}
              size={size}
              total={data.total}
              onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
            />
          )}
        </>
      )}
      {shown !== undefined && (
        <EventDialog
          event={shown}
          actorName={names.get(shown.actor_id)}
          onClose={() => setShown(undefined)}
          onFilter={(next) => {
            setShown(undefined)
            filterBy(next)
          }}
        />
      )}
      {isVerifying && <VerifyDialog onClose={() => setVerifying(false)} />}
    </Page>
  )
}

/** The filters of the address as the API takes them; days are those of the browser's time zone, both included. */
function queryOf({ from, to, success, ...rest }: Filters): Query<'GET /v1/orgs/{orgID}/audit'> {
  const fromAt = dayStart(from, 0)
  const toAt = dayStart(to, 1)
  return {
    ...rest,
    ...((success === 'true' || success === 'false') && { success: success === 'true' }),
    ...(fromAt !== undefined && { from: fromAt }),
    ...(toAt !== undefined && { to: toAt }),
  }
}

function dayStart(day: string | undefined, later: number): string | undefined {
  const [year, month, date] = (day ?? '').split('-').map(Number)
  const at = new Date(year ?? Number.NaN, (month ?? Number.NaN) - 1, (date ?? Number.NaN) + later)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
