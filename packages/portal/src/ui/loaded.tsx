import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from './notice.tsx'

/** A query as far as a component shows it. */
export type Shown<data> = Pick<UseQueryResult<data>, 'data' | 'error' | 'refetch'>

/** What a query returned; before that a grey box, and if it failed the reason with a way to try again. */
export function Loaded<data>({
  query: { data, error, refetch },
  className = 'h-48 rounded-xl',
  children,
}: {
  query: Shown<data>
  className?: string
  children: (data: data) => ReactNode
}) {
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && (
        <div className={`pulse bg-sunken ${className}`} aria-busy="true" />
      )}
      {data !== undefined && children(data)}
    </>
  )
}
