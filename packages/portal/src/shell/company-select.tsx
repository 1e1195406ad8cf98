import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useOrganization } from '../data/organization.tsx'
import { organizationsQuery } from '../data/queries.ts'
import { Select } from '../ui/field.tsx'

const create = ' new'

/** The companies as a select, for the drawer of narrow pages: a menu would open behind that dialog. */
export function CompanySelect({ onGo }: { onGo: () => void }) {
  const navigate = useNavigate()
  const organization = useOrganization()
  const { data = [organization] } = useQuery(organizationsQuery)
  return (
    <Select
      aria-label="Company"
      value={organization.slug}
      options={[...data.map(({ slug, name }) => [slug, name] as const), [create, 'Create company…']]}
      onText={(value) => {
        onGo()
        if (value === create) void navigate({ to: '/new' })
        else void navigate({ to: '/o/$slug', params: { slug: value } })
      }}
    />
  )
}
