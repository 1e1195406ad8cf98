import { useState } from 'react'
import { BarChart, type Series } from './bar-chart.tsx'

/** A figure per day: its title, total and series. With `isWhole` its axis has whole numbers only. */
export type Chart = {
  title: string
  text: string
  total: string
  days: readonly string[]
  series: readonly Series[]
  format: (value: number) => string
  isWhole: boolean
}

const dayName = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** A chart with its total (or the day under the pointer), and the same numbers as a table for screen readers. */
export function ChartCard({ title, text, total, days, series, format, isWhole }: Chart) {
  const [index, setIndex] = useState<number>()
  const day = index === undefined ? undefined : days[index]
  const at = (one: Series) => (index === undefined ? sum(one.values) : (one.values[index] ?? 0))
  return (
    <figure className="flex min-w-0 flex-col gap-2 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <figcaption className="flex flex-col gap-0.5">
        <span className="flex items-baseline justify-between gap-3">
          <span className="text-sm font-semibold">{title}</span>
          <span className="text-xs text-muted">
            {day === undefined ? '' : dayName.format(Date.parse(day))}
          </span>
        </span>
        <span className="text-2xl font-semibold tracking-tight tabular-nums">
          {index === undefined ? total : format(sum(series.map(at)))}
        </span>
        <span className="text-xs text-pretty text-muted">{text}</span>
      </figcaption>
      <BarChart days={days} series={series} format={format} isWhole={isWhole} onDay={setIndex} />
      <ul className="flex min-h-5 flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        {series.length > 1 &&
          series
            .filter(({ values }) => values.some((value) => value > 0))
            .map((one) => (
              <li key={one.label} className="flex items-center gap-1.5 tabular-nums">
                <span
                  aria-hidden="true"
                  className="size-2 rounded-sm"
                  style={{ background: `var(--color-${one.colour})` }}
                />
                {one.label} <span className="text-ink">{format(at(one))}</span>
              </li>
            ))}
      </ul>
      <DataTable title={title} days={days} series={series} format={format} />
    </figure>
  )
}

function DataTable({ title, days, series, format }: Pick<Chart, 'title' | 'days' | 'series' | 'format'>) {
  return (
    <details className="sr-only focus-within:not-sr-only">
      <summary className="text-xs text-muted">{title} as a table</summary>
      <div className="max-h-60 overflow-y-auto">
        <table className="w-full text-left text-xs">
          <thead>
            <tr>
              <th scope="col">Day</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((one, row) => (
              <tr key={one}>
                <th scope="row">{one}</th>
                {series.map(({ label, values }) => (
                  <td key={label}>{format(values[row] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
