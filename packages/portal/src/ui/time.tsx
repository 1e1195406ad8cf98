import { nowMs } from '../adapters/browser.ts'

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const steps: readonly (readonly [number, number, Intl.RelativeTimeFormatUnit])[] = [
  [60_000, 1_000, 'second'],
  [3_600_000, 60_000, 'minute'],
  [86_400_000, 3_600_000, 'hour'],
  [30 * 86_400_000, 86_400_000, 'day'],
]

/** An RFC 3339 time relative to now (`2 min ago`), as a date after a month; the exact time is its title. */
export function Time({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)} className="whitespace-nowrap">
      {ago(date.getTime() - nowMs()) ?? day.format(date)}
    </time>
  )
}

/** An RFC 3339 time to the second. */
export function ExactTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap tabular-nums">
      {exact.format(new Date(at))}
    </time>
  )
}

function ago(distanceMs: number): string | undefined {
  const size = Math.abs(distanceMs)
  if (size < 10_000) return 'just now'
  const step = steps.find(([below]) => size < below)
  return step && relative.format(Math.trunc(distanceMs / step[1]), step[2])
}
