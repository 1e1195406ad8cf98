import { X } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { Select, TextInput } from '../../ui/field.tsx'
import { eventTitles } from './event-titles.ts'

/** The filters of the log, as they stand in the address. */
export type Filters = {
  event_type?: string
  success?: string
  actor_id?: string
  wallet_id?: string
  from?: string
  to?: string
}

const chips = [
  ['actor_id', 'By'],
  ['wallet_id', 'Wallet'],
] as const

/** The filters to choose from; those that come from an event show as chips. */
export function AuditFilters({
  filters,
  onChange,
}: {
  filters: Filters
  onChange: (filters: Filters) => void
}) {
  const set = (name: keyof Filters, value: string) => {
    const { [name]: _, ...others } = filters
    onChange(value === '' ? others : { ...others, [name]: value })
  }
  const { event_type = '', success = '', from = '', to = '' } = filters
  return (
    <search aria-label="Filters" className="flex flex-col gap-2">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <Select
          aria-label="Event"
          className="col-span-2 sm:w-52!"
          value={event_type}
          onChange={(event) => set('event_type', event.target.value)}
        >
          <option value="">Every event</option>
          {Object.entries(eventTitles).map(([type, title]) => (
            <option key={type} value={type}>
              {title} ({type})
            </option>
          ))}
        </Select>
        <Select
          aria-label="Result"
          className="col-span-2 sm:w-auto!"
          value={success}
          onChange={(event) => set('success', event.target.value)}
        >
          <option value="">Every result</option>
          <option value="true">Succeeded</option>
          <option value="false">Failed</option>
        </Select>
        <DayField
          label="From"
          value={from}
          {...(to !== '' && { max: to })}
          onChange={(value) => set('from', value)}
        />
        <DayField
          label="To"
          value={to}
          {...(from !== '' && { min: from })}
          onChange={(value) => set('to', value)}
        />
        {Object.keys(filters).length > 0 && (
          <Button look="quiet" className="max-sm:col-span-2" onClick={() => onChange({})}>
            Clear all
          </Button>
        )}
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {chips.map(([name, text]) => {
          const value = filters[name]
          return (
            value !== undefined && (
              <button
                key={name}
                type="button"
                onClick={() => set(name, '')}
                className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-lg bg-tint px-2.5 text-xs text-ink hover:opacity-80"
              >
                {text} <span className="truncate font-mono">{value}</span>
                <X className="size-3.5 shrink-0" aria-label="remove this filter" />
              </button>
            )
          )
        })}
      </div>
    </search>
  )
}

function DayField({
  label,
  onChange,
  ...rest
}: {
  label: string
  value: string
  min?: string
  max?: string
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm text-muted">
      <label htmlFor={id}>{label}</label>
      <TextInput
        {...rest}
        id={id}
        type="date"
        className="min-w-0 sm:w-auto!"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
