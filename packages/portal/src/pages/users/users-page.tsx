import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { useOrganization } from '../../data/organization.tsx'
import type { Answer } from '../../data/portal-client.ts'
import { usersQuery } from '../../data/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { plural } from '../../ui/format.ts'
import { CompanyLink, PrimaryLink } from '../../ui/links.tsx'
import { List } from '../../ui/list.tsx'
import { NoMatch } from '../../ui/no-match.tsx'
import { Page } from '../../ui/page.tsx'
import { pageQuery } from '../../ui/pagination.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Cell, LinkRow, TimeCell } from '../../ui/table.tsx'

type User = Answer<'GET /v1/orgs/{orgID}/users'>['items'][number]

const route = getRouteApi('/inside/o/$slug/users')
const size = 25
const columns = [
  { title: 'User' },
  { title: 'Signs in with', isWide: true },
  { title: 'Wallets', isEnd: true },
  { title: 'Created', isWide: true, isEnd: true },
]

/** The end users of the company's app. */
export function UsersPage() {
  const { id: orgID } = useOrganization()
  const { q = '', page } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(usersQuery(orgID, { ...(q !== '' && { email: q }), ...pageQuery(size, page) }))
  return (
    <Page title="Users" lead="Everyone who has logged in to your app or whose wallet your backend created.">
      <div className="flex">
        <SearchField
          label="Search users"
          placeholder="Email address"
          value={q}
          onSearch={(text) => void navigate({ search: text === '' ? {} : { q: text } })}
        />
      </div>
      <List label="Users" columns={columns} query={query} size={size} empty={<Empty isFiltered={q !== ''} />}>
        {(user) => <UserRow key={user.user_identity_id} user={user} />}
      </List>
    </Page>
  )
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <EmptyState
        icon={UsersRound}
        title="No users yet"
        action={<PrimaryLink to="/o/$slug/quick-start">Open the quick start</PrimaryLink>}
      >
        Users appear here when they first log in. You don’t need to import them.
      </EmptyState>
    )
  return (
    <NoMatch noun="users">
      Enter the full address. Users of your own identity provider may not have one.
    </NoMatch>
  )
}

/** A user whom a backend created under its own id has no email address to send a code to. */
function signsInWith(provider: User['auth_provider'], email: User['email']): string {
  if (provider !== 'service') return 'OpenID Connect'
  return email === null ? 'Your backend only' : 'Email code'
}

function UserRow({ user }: { user: User }) {
  const { user_identity_id: id, email, provider_user_id, auth_provider, wallets, created_at } = user
  return (
    <LinkRow>
      <Cell className="w-full max-w-0 md:w-1/2">
        <CompanyLink
          to="/o/$slug/wallets"
          search={{ q: id }}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {email ?? provider_user_id}
        </CompanyLink>
        <span className="block truncate font-mono text-xs text-muted">{id}</span>
      </Cell>
      <Cell isWide>
        <Badge>{signsInWith(auth_provider, email)}</Badge>
      </Cell>
      <Cell isEnd className="whitespace-nowrap">
        {plural(wallets, 'wallet')}
      </Cell>
      <TimeCell isWide isEnd at={created_at} />
    </LinkRow>
  )
}
