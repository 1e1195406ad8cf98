import type { ReactNode } from 'react'

const looks = {
  good: 'border-good/30 bg-goodtint text-good',
  bad: 'border-bad/30 bg-badtint text-bad',
  plain: 'border-line bg-sunken text-muted',
}

/** An error may appear below the visible part of the page, or under an overlay. */
function bringIntoView(notice: HTMLElement | null): void {
  notice?.scrollIntoView({ block: 'nearest' })
}

/** A short message: a success, or an error with advice. Screen readers announce it. */
export function Notice({ look, children }: { look: keyof typeof looks; children: ReactNode }) {
  return (
    <div
      ref={look === 'bad' ? bringIntoView : undefined}
      role={look === 'bad' ? 'alert' : 'status'}
      className={`appear rounded-lg border px-3 py-2 text-sm ${looks[look]}`}
    >
      {children}
    </div>
  )
}
