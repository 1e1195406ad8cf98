import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useOrganization } from '../data/organization.tsx'
import { organizationsQuery } from '../data/queries.ts'
import { Select } from '../ui/field.tsx'

const create = ' new'

/** The companies as a select, for the drawer of narrow pages, where a menu would lie below the dialog. */
export function CompanySelect({ onGo }: { onGo: () => void }) {
  const navigate = useNavigate()
  const organization = useOrganization()
  const { data = [organization] } = useQuery(organizationsQuery)
  return (
    <Select
      aria-label="Company"
      value={organization.slug}
      onChange={({ target: { value } }) => {
        onGo()
        if (value === create) void navigate({ to: '/new' })
        else void navigate({ to: '/o/$slug', params: { slug: value } })
      }}
    >
      {data.map(({ id, slug, name }) => (
        <option key={id} value={slug}>
          {name}
        </option>
      ))}
      <option value={create}>Create a company…</option>
    </Select>
  )
}
