import type { ReactNode } from 'react'

/** A column: its heading, and whether narrow pages leave it out. */
export type Column = { title: string; isWide?: boolean; isEnd?: boolean; isHidden?: boolean }

/** A table that fits its page: columns marked wide are left out on narrow ones. */
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
            {columns.map(({ title, isWide, isEnd, isHidden }) => (
              <th
                key={title}
                scope="col"
                className={`px-3 py-2.5 font-medium sm:px-4 whitespace-nowrap ${isWide ? 'max-md:hidden' : ''} ${isEnd ? 'text-right' : ''}`}
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

/** A cell; `isWide` as its column. */
export function Cell({
  children,
  isWide = false,
  isEnd = false,
  className = '',
}: {
  children?: ReactNode
  isWide?: boolean
  isEnd?: boolean
  className?: string
}) {
  return (
    <td
      className={`px-3 py-2.5 sm:px-4 ${isWide ? 'max-md:hidden' : ''} ${isEnd ? 'text-right' : ''} ${className}`}
    >
      {children}
    </td>
  )
}

/** Rows in the shape of those that are being fetched. */
export function LoadingRows({ columns, rows = 6 }: { columns: readonly Column[]; rows?: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
    <tr key={row} aria-busy="true">
      {columns.map(({ title, isWide }, column) => (
        <td key={title} className={`px-3 py-3.5 sm:px-4 ${isWide ? 'max-md:hidden' : ''}`}>
          <div
            className={`pulse h-4 rounded bg-sunken ${column === 0 ? 'w-40 max-w-full' : 'w-16 max-w-full'}`}
          />
        </td>
      ))}
    </tr>
  ))
}
