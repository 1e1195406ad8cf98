import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { explainError } from '../data/explain-error.ts'
import { Button } from './button.tsx'

const looks = {
  good: ['border-good/30 bg-goodtint', 'text-good', CircleCheck],
  warn: ['border-warn/30 bg-warntint', 'text-warn', TriangleAlert],
  bad: ['border-bad/30 bg-badtint', 'text-bad', CircleAlert],
  plain: ['border-line bg-sunken', 'text-muted', Info],
} as const

/** A message in the page: the situation and what to do about it. Screen readers announce a bad one at once. */
export function Notice({
  look = 'plain',
  title,
  children,
}: {
  look?: keyof typeof looks
  title: ReactNode
  children?: ReactNode
}) {
  const [box, ink, Icon] = looks[look]
  return (
    <div
      {...(look === 'bad' ? { role: 'alert' } : {})}
      className={`appear flex gap-3 rounded-xl border px-3.5 py-3 text-sm ${box}`}
    >
      <Icon className={`mt-0.5 size-4 shrink-0 ${ink}`} aria-hidden="true" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-medium">{title}</p>
        {children !== undefined && <div className="text-pretty text-muted">{children}</div>}
      </div>
    </div>
  )
}

/** Explains an error and what to do about it; renders nothing without one. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error === null || error === undefined) return null
  const { title, advice, requestId, issues } = explainError(error)
  return (
    <Notice look="bad" title={title}>
      {advice}
      {issues.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== '' && <code className="font-mono text-xs">{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {requestId !== undefined && (
        <p className="mt-1 font-mono text-xs wrap-anywhere">Request ID: {requestId}</p>
      )}
      {onRetry !== undefined && (
        <div className="mt-2">
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </Notice>
  )
}
