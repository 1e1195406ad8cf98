import type { ReactNode } from 'react'
import type { Shown } from './loaded.tsx'
import { ErrorNotice } from './notice.tsx'
import { Pagination } from './pagination.tsx'
import { type Column, LoadingRows, Table } from './table.tsx'

type Listed<item> = readonly item[] | { readonly items: readonly item[]; readonly total: number }

/**
 * A list of a page: its table, or `empty`. With `size` it is one page of a longer list, and the page's number is in the
 * address. `children` is the row of an item.
 */
export function List<item>({
  label,
  columns,
  query: { data, error, refetch, isPlaceholderData = false },
  size,
  rows = 8,
  empty,
  children,
}: {
  label: string
  columns: readonly Column[]
  query: Shown<Listed<item>> & { isPlaceholderData?: boolean }
  size?: number
  rows?: number
  empty?: ReactNode
  children: (item: item) => ReactNode
}) {
  const items = data === undefined || !('items' in data) ? data : data.items
  const total = data === undefined || !('items' in data) ? data?.length : data.total
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (total === 0 && empty !== undefined) return empty
  return (
    <>
      <Table label={label} columns={columns} isStale={isPlaceholderData}>
        {items === undefined && <LoadingRows columns={columns} rows={rows} />}
        {items?.map(children)}
      </Table>
      {total !== undefined && size !== undefined && <Pagination size={size} total={total} />}
    </>
  )
}
