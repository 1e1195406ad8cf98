import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { keepPreference } from '../adapters/browser.ts'
import { OrganizationProvider } from '../data/organization.tsx'
import { organizationsQuery } from '../data/queries.ts'
import { AppShell } from '../shell/app-shell.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { Failed, Waiting } from './session-gate.tsx'

const route = getRouteApi('/inside/o/$slug')

/** Opens the company in the address for its members; everybody else gets the page for unknown addresses. */
export function CompanyGate() {
  const { slug } = route.useParams()
  const { data, error, refetch } = useQuery(organizationsQuery)
  const organization = data?.find((one) => one.slug === slug)
  useEffect(() => {
    if (organization !== undefined) keepPreference('company', organization.slug)
  }, [organization])
  if (organization !== undefined)
    return (
      <OrganizationProvider key={organization.id} organization={organization}>
        <AppShell />
      </OrganizationProvider>
    )
  if (data !== undefined) return <NotFoundPage />
  return error === null ? <Waiting /> : <Failed error={error} onRetry={() => void refetch()} />
}
