import { X } from 'lucide-react'
import { useId } from 'react'
import type { Query } from '../../data/portal-client.ts'
import { Button } from '../../ui/button.tsx'
import { FilterSelect, TextInput } from '../../ui/field.tsx'
import { eventTitles } from './event-titles.ts'

/** The filters of the log, as they are in the address. */
export type Filters = {
  event_type?: string
  success?: string
  actor_id?: string
  wallet_id?: string
  from?: string
  to?: string
}

type Props = { filters: Filters; onChange: (filters: Filters) => void }

const chips = [
  ['actor_id', 'By'],
  ['wallet_id', 'Wallet'],
] as const
const events = Object.entries(eventTitles).map(([type, title]) => [type, `${title} (${type})`] as const)

/** The filters of the log; those that an event sets show as chips. */
export function AuditFilters({ filters, onChange }: Props) {
  const { event_type, success, from = '', to = '' } = filters
  const set = (name: keyof Filters) => (value: string) => onChange(withFilter(filters, name, value))
  return (
    <search aria-label="Filters" className="flex flex-col gap-2">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <FilterSelect
          label="Event"
          all="All events"
          className="col-span-2 sm:w-52!"
          value={event_type}
          options={events}
          onText={set('event_type')}
        />
        <FilterSelect
          label="Result"
          all="All results"
          className="col-span-2 sm:w-auto!"
          value={success}
          options={[
            ['true', 'Succeeded'],
            ['false', 'Failed'],
          ]}
          onText={set('success')}
        />
        <DayField label="From" value={from} {...(to !== '' && { max: to })} onText={set('from')} />
        <DayField label="To" value={to} {...(from !== '' && { min: from })} onText={set('to')} />
        {Object.keys(filters).length > 0 && (
          <Button look="quiet" className="max-sm:col-span-2" onClick={() => onChange({})}>
            Clear all
          </Button>
        )}
      </div>
      <Chips filters={filters} onChange={onChange} />
    </search>
  )
}

/** The filters in the address as the API takes them; days are in the browser's time zone, both included. */
export function auditFilter({ from, to, success, ...rest }: Filters): Query<'GET /v1/orgs/{orgID}/audit'> {
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

function withFilter(filters: Filters, name: keyof Filters, value: string): Filters {
  const { [name]: _, ...others } = filters
  return value === '' ? others : { ...others, [name]: value }
}

function Chips({ filters, onChange }: Props) {
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {chips.map(
        ([name, text]) =>
          filters[name] !== undefined && (
            <button
              key={name}
              type="button"
              onClick={() => onChange(withFilter(filters, name, ''))}
              className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-lg bg-tint px-2.5 text-xs text-ink hover:opacity-80"
            >
              {text} <span className="truncate font-mono">{filters[name]}</span>
              <X className="size-3.5 shrink-0" aria-label="Remove this filter" />
            </button>
          ),
      )}
    </div>
  )
}

function DayField({ label, ...rest }: { label: string } & Parameters<typeof TextInput>[0]) {
  const id = useId()
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm text-muted">
      <label htmlFor={id}>{label}</label>
      <TextInput {...rest} id={id} type="date" className="min-w-0 sm:w-auto!" />
    </div>
  )
}
