import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { useOrganization } from '../data/organization.tsx'
import { organizationsQuery } from '../data/queries.ts'
import { initials } from '../ui/format.ts'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx'

/** Shows the open company and switches to others. */
export function CompanySwitcher() {
  const navigate = useNavigate()
  const organization = useOrganization()
  const { data = [] } = useQuery(organizationsQuery)
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex w-full min-w-0 items-center gap-2.5 rounded-lg border border-line bg-surface p-1.5 pr-2.5 text-left transition hover:border-strong"
        >
          <CompanyBadge organization={organization} />
          <span className="min-w-0 flex-1">
            <span className="sr-only">Company: </span>
            <span className="block truncate text-sm font-medium">{organization.name}</span>
            <span className="block truncate text-xs text-muted">
              {organization.signing_mode === 'tee' ? 'TEE mode' : 'Client mode'}
            </span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden="true" />
        </button>
      }
    >
      <MenuLabel>Your companies</MenuLabel>
      {data.map((one) => (
        <MenuItem
          key={one.id}
          icon={<CompanyBadge organization={one} isSmall />}
          onSelect={() => void navigate({ to: '/o/$slug', params: { slug: one.slug } })}
          aside={one.id === organization.id ? <Check className="text-accent" aria-label="Open" /> : undefined}
        >
          {one.name}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={<Plus />} onSelect={() => void navigate({ to: '/new' })}>
        Create company
      </MenuItem>
    </Menu>
  )
}

function CompanyBadge({
  organization: { name, brand_color },
  isSmall = false,
}: {
  organization: { name: string; brand_color: string | null }
  isSmall?: boolean
}) {
  const colours = brand_color === null ? undefined : { background: brand_color, color: inkOn(brand_color) }
  return (
    <span
      aria-hidden="true"
      style={colours}
      className={`grid shrink-0 place-items-center rounded-md bg-tint font-semibold text-accent ${isSmall ? 'size-6 text-[0.625rem]' : 'size-8 text-xs'}`}
    >
      {initials(name)}
    </span>
  )
}

/** Black or white, whichever has more contrast on a colour (WCAG 2.2 relative luminance). */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}
