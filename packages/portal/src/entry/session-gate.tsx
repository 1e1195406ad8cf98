import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { sessionQuery } from '../data/queries.ts'
import { ErrorNotice } from '../ui/notice.tsx'
import { SignInPage } from './sign-in-page.tsx'

/** Shows its routes to signed-in people; others sign in first and come back to the same address. */
export function SessionGate() {
  const { data: session, error, refetch } = useQuery(sessionQuery)
  const returnTo = useLocation({ select: ({ pathname, searchStr }) => `/portal${pathname}${searchStr}` })
  if (session === null) return <SignInPage returnTo={returnTo} />
  if (session !== undefined) return <Outlet />
  return error === null ? <Waiting /> : <Failed error={error} onRetry={() => void refetch()} />
}

/** The empty page while something loads. */
export function Waiting() {
  return <div aria-busy="true" className="min-h-dvh" />
}

/** The page that says why nothing could be loaded. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center px-4">
      <ErrorNotice error={error} onRetry={onRetry} />
    </main>
  )
}
