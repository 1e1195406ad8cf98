import type { ReactNode } from 'react'

const looks = {
  plain: 'bg-sunken text-muted border-line',
  good: 'bg-goodtint text-good border-good/20',
  warn: 'bg-warntint text-warn border-warn/20',
  bad: 'bg-badtint text-bad border-bad/20',
  accent: 'bg-tint text-accent border-accent/20',
}

/** A short label that shows a state. */
export function Badge({ look = 'plain', children }: { look?: keyof typeof looks; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-md border px-1.5 py-0.5 text-xs font-medium whitespace-nowrap ${looks[look]}`}
    >
      {children}
    </span>
  )
}
