import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import { count } from './format.ts'

/** Where a list is, of how many, and the way to the pages around. `page` counts from 1. */
export function Pagination({
  page,
  size,
  total,
  onPage,
}: {
  page: number
  size: number
  total: number
  onPage: (page: number) => void
}) {
  const pages = Math.max(1, Math.ceil(total / size))
  const from = Math.min((page - 1) * size + 1, total)
  return (
    <nav
      aria-label="Pages of the list"
      className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted"
    >
      <p className="tabular-nums">
        {total === 0 ? 'None' : `${count(from)}–${count(Math.min(page * size, total))} of ${count(total)}`}
      </p>
      {pages > 1 && (
        <div className="flex gap-2">
          <Button
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
            icon={<ChevronLeft className="size-4" />}
          >
            Newer
          </Button>
          <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Older <ChevronRight className="size-4" aria-hidden="true" />
          </Button>
          {page < pages && (
            <Button look="quiet" className="max-sm:hidden" onClick={() => onPage(pages)}>
              Oldest
            </Button>
          )}
        </div>
      )}
    </nav>
  )
}
