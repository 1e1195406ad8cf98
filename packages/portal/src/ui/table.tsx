import type { ReactNode } from 'react'
import { Time } from './time.tsx'

/** A column: its heading, whether narrow pages leave it out (`isWide`), and whether only screen readers get the heading. */
export type Column = { title: string; isWide?: boolean; isEnd?: boolean; isHidden?: boolean }

/** A table that fits its page: narrow pages leave out the columns marked wide. */
export function Table({
  label,
  columns,
  children,
  isStale = false,
}: {
  label: string
  columns: readonly Column[]
  children: ReactNode
  isStale?: boolean
}) {
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <table
        aria-label={label}
        aria-busy={isStale}
        className={`w-full table-auto text-left text-sm transition-opacity ${isStale ? 'opacity-60' : ''}`}
      >
        <thead className="border-b border-line bg-sunken text-xs text-muted">
          <tr>
            {columns.map(({ title, isHidden, ...place }) => (
              <th
                key={title}
                scope="col"
                className={`px-3 py-2.5 font-medium whitespace-nowrap sm:px-4 ${classOf(place)}`}
              >
                {isHidden ? <span className="sr-only">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  )
}

/** A row whose first link or button covers all of it. */
export function LinkRow({ className = '', children }: { className?: string; children: ReactNode }) {
  return <tr className={`relative transition hover:bg-sunken ${className}`}>{children}</tr>
}

/** A cell; `isWide` and `isEnd` as its column. */
export function Cell({
  children,
  className = '',
  ...place
}: {
  children?: ReactNode
  isWide?: boolean
  isEnd?: boolean
  className?: string
}) {
  return <td className={`px-3 py-2.5 sm:px-4 ${classOf(place)} ${className}`}>{children}</td>
}

/** A cell with a time. */
export function TimeCell({ at, ...place }: { at: string; isWide?: boolean; isEnd?: boolean }) {
  return (
    <Cell {...place} className="text-muted">
      <Time at={at} />
    </Cell>
  )
}

/** Rows in the shape of those that are being loaded. */
export function LoadingRows({ columns, rows }: { columns: readonly Column[]; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
    <tr key={row} aria-busy="true">
      {columns.map(({ title, isWide }, column) => (
        <td key={title} className={`px-3 py-3.5 sm:px-4 ${classOf({ isWide })}`}>
          <div className={`pulse h-4 max-w-full rounded bg-sunken ${column === 0 ? 'w-40' : 'w-16'}`} />
        </td>
      ))}
    </tr>
  ))
}

const classOf = ({ isWide, isEnd }: { isWide?: boolean | undefined; isEnd?: boolean }) =>
  `${isWide ? 'max-md:hidden' : ''} ${isEnd ? 'text-right' : ''}`
