import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { readPreference } from '../adapters/browser.ts'
import { organizationsQuery, sessionQuery } from '../data/queries.ts'
import { Failed, Waiting } from './session-gate.tsx'
import { SignInPage } from './sign-in-page.tsx'

const route = getRouteApi('/')

/** `/portal`: opens the last company, or the page that creates the first one; explains a failed sign-in. */
export function StartPage() {
  const { login_error } = route.useSearch()
  const session = useQuery(sessionQuery)
  const isIn = session.data !== null && session.data !== undefined
  const organizations = useQuery({ ...organizationsQuery, enabled: isIn })
  if (session.data === null || (login_error !== undefined && !isIn))
    return <SignInPage returnTo="/portal" failure={login_error} />
  const error = session.error ?? organizations.error
  if (error !== null)
    return <Failed error={error} onRetry={() => void (isIn ? organizations : session).refetch()} />
  if (organizations.data === undefined) return <Waiting />
  const last = readPreference('company')
  const open = organizations.data.find(({ slug }) => slug === last) ?? organizations.data[0]
  return open === undefined ? (
    <Navigate to="/new" replace />
  ) : (
    <Navigate to="/o/$slug" params={{ slug: open.slug }} replace />
  )
}
