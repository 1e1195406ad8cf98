import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { SearchX, UsersRound } from 'lucide-react'
import { useOrganization } from '../../data/organization.tsx'
import { usersQuery } from '../../data/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonForm, buttonLooks } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { plural } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Cell, LoadingRows, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

const route = getRouteApi('/inside/o/$slug/users')
const size = 25
const columns = [
  { title: 'User' },
  { title: 'Logs in by', isWide: true },
  { title: 'Wallets', isEnd: true },
  { title: 'Since', isWide: true, isEnd: true },
]

/** The people who use the company's app. */
export function UsersPage() {
  const { id: orgID, slug } = useOrganization()
  const { q = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    usersQuery(orgID, { ...(q !== '' && { email: q }), limit: size, offset: (page - 1) * size }),
  )
  return (
    <Page
      title="Users"
      lead="Everybody who has logged in to your app, or for whom your backend made a wallet."
    >
      <div className="flex">
        <SearchField
          label="Search users"
          placeholder="E-mail address"
          value={q}
          onSearch={(text) => void navigate({ search: text === '' ? {} : { q: text } })}
        />
      </div>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.total === 0 && q !== '' && (
        <EmptyState
          icon={SearchX}
          title="No user has this address"
          action={<Button onClick={() => void navigate({ search: {} })}>Show all users</Button>}
        >
          Addresses are searched in full. Users of your own identity provider may have come without one.
        </EmptyState>
      )}
      {data?.total === 0 && q === '' && (
        <EmptyState
          icon={UsersRound}
          title="Nobody yet"
          action={
            <Link
              to="/o/$slug/quick-start"
              params={{ slug }}
              className={`${buttonForm} ${buttonLooks.primary}`}
            >
              Let the first one in
            </Link>
          }
        >
          Users appear with their first login. You need not import them.
        </EmptyState>
      )}
      {data?.total !== 0 && error === null && (
        <>
          <Table label="Users" columns={columns} isStale={isPlaceholderData}>
            {data === undefined && <LoadingRows columns={columns} rows={8} />}
            {data?.items.map((user) => (
              <tr key={user.user_identity_id} className="relative transition hover:bg-sunken">
                <Cell className="w-full max-w-0 md:w-1/2">
                  <Link
                    to="/o/$slug/wallets"
                    params={{ slug }}
                    search={{ q: user.user_identity_id }}
                    className="block truncate font-medium after:absolute after:inset-0"
                  >
                    {user.email ?? user.provider_user_id}
                  </Link>
                  <span className="block truncate font-mono text-xs text-muted">{user.user_identity_id}</span>
                </Cell>
                <Cell isWide>
                  <Badge>{user.auth_provider === 'service' ? 'E-mail code' : 'OpenID Connect'}</Badge>
                </Cell>
                <Cell isEnd className="whitespace-nowrap">
                  {plural(user.wallets, 'wallet')}
                </Cell>
                <Cell isWide isEnd className="text-muted">
                  <Time at={user.created_at} />
                </Cell>
              </tr>
            ))}
          </Table>
          {data !== undefined && (
            <Pagination
              page={page}
              size={size}
              total={data.total}
              onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
            />
          )}
        </>
      )}
    </Page>
  )
}
