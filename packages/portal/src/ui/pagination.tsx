import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import { count } from './format.ts'

/** The limit and offset of a page of a list, counted from 1. */
export const pageQuery = (size: number, page = 1) => ({ limit: size, offset: (page - 1) * size })

/** Which part of a list is shown, and buttons to the pages around it; the page's number is in the address. */
export function Pagination({
  size,
  total,
  resetScroll = true,
}: {
  size: number
  total: number
  /** Whether another page begins at the top; not for a list within a page. */
  resetScroll?: boolean
}) {
  const { page = 1 } = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (next: number) =>
    void navigate({ to: '.', search: (before) => ({ ...before, page: next }), resetScroll })
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
          <Button disabled={page <= 1} onClick={() => go(page - 1)} icon={ChevronLeft}>
            Newer
          </Button>
          <Button disabled={page >= pages} onClick={() => go(page + 1)}>
            Older <ChevronRight className="size-4" aria-hidden="true" />
          </Button>
          {page < pages && (
            <Button look="quiet" className="max-sm:hidden" onClick={() => go(pages)}>
              Oldest
            </Button>
          )}
        </div>
      )}
    </nav>
  )
}
