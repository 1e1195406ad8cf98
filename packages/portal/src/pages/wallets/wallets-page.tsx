import { networkNames } from '@symbolon/networks/names'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { SearchX, Wallet as WalletIcon } from 'lucide-react'
import { useOrganization } from '../../data/organization.tsx'
import type { Query } from '../../data/portal-client.ts'
import { walletsQuery } from '../../data/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonForm, buttonLooks } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Cell, LoadingRows, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { curveNames } from './names.ts'
import { WalletDialog } from './wallet-dialog.tsx'
import { ownerName, type Wallet } from './wallet-owner.tsx'
import { isId, meantBy } from './wallet-search.ts'

const route = getRouteApi('/inside/o/$slug/wallets')
const size = 25
const columns = [
  { title: 'Address' },
  { title: 'User', isWide: true },
  { title: 'Network', isWide: true },
  { title: 'Created', isEnd: true },
]

/** The company's wallets: find one, look into it, archive it. */
export function WalletsPage() {
  const { id: orgID, slug } = useOrganization()
  const { q = '', status, curve, page = 1, wallet } = route.useSearch()
  const navigate = route.useNavigate()
  const filters = {
    ...(q !== '' && meantBy(q)),
    ...((status === 'active' || status === 'archived') && { status }),
    ...((curve === 'secp256k1' || curve === 'ed25519') && { curve }),
  } satisfies Query<'GET /v1/orgs/{orgID}/wallets'>
  const { data, error, refetch, isPlaceholderData } = useQuery(
    walletsQuery(orgID, { ...filters, limit: size, offset: (page - 1) * size }),
  )
  const isFiltered = Object.keys(filters).length > 0
  const set = (changed: { q?: string; status?: string; curve?: string }) =>
    void navigate({ search: ({ page: _, ...before }) => ({ ...before, ...changed }) })
  const open = (id: string | undefined) =>
    void navigate({
      search: ({ wallet: _, ...before }) => ({ ...before, ...(id !== undefined && { wallet: id }) }),
      resetScroll: false,
    })

  return (
    <Page
      title="Wallets"
      lead="One per user and curve. An archived wallet keeps its key, but nothing signs with it."
    >
      <div className="flex flex-wrap gap-2">
        <SearchField
          label="Search wallets"
          placeholder="E-mail, address or id"
          value={q}
          // Ids are tried as a wallet first; its page leads on to the user.
          onSearch={(text) => (isId(text) ? open(text.toLowerCase()) : set({ q: text }))}
        />
        <Select
          aria-label="Status"
          className="w-auto! min-w-0 max-sm:flex-1 max-sm:basis-0"
          value={status ?? ''}
          onChange={(event) => set({ status: event.target.value })}
        >
          <option value="">Every status</option>
          <option value="active">Active</option>
          <option value="archived">Archived</option>
        </Select>
        <Select
          aria-label="Curve"
          className="w-auto! min-w-0 max-sm:flex-1 max-sm:basis-0"
          value={curve ?? ''}
          onChange={(event) => set({ curve: event.target.value })}
        >
          <option value="">Every curve</option>
          {Object.entries(curveNames).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      </div>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.total === 0 && isFiltered && (
        <EmptyState
          icon={SearchX}
          title="No wallet matches"
          action={<Button onClick={() => void navigate({ search: {} })}>Show all wallets</Button>}
        >
          E-mail addresses, wallet addresses and ids are searched in full, not by parts.
        </EmptyState>
      )}
      {data?.total === 0 && !isFiltered && <NoWallets slug={slug} />}
      {data?.total !== 0 && error === null && (
        <>
          <Table label="Wallets" columns={columns} isStale={isPlaceholderData}>
            {data === undefined && <LoadingRows columns={columns} rows={8} />}
            {data?.items.map((one) => (
              <WalletRow key={one.id} wallet={one} onOpen={() => open(one.id)} />
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
      {wallet !== undefined && (
        <WalletDialog
          id={wallet}
          onClose={() => open(undefined)}
          onUser={(id) => void navigate({ search: { q: id } })}
        />
      )}
    </Page>
  )
}

function WalletRow({ wallet, onOpen }: { wallet: Wallet; onOpen: () => void }) {
  const { address, chain_type, curve, status, created_at } = wallet
  const user = ownerName(wallet)
  return (
    <tr className="relative transition hover:bg-sunken">
      <Cell className="max-w-0 w-full md:w-2/5">
        <button
          type="button"
          onClick={onOpen}
          title={address}
          className="block w-full truncate text-left font-mono text-xs after:absolute after:inset-0"
        >
          {address}
        </button>
        <span className="mt-1 flex items-center gap-2 text-xs text-muted md:hidden">
          <span className="truncate">{user}</span>
          {status === 'archived' && <Badge look="warn">Archived</Badge>}
        </span>
      </Cell>
      <Cell isWide className="max-w-56 truncate">
        {user}
      </Cell>
      <Cell isWide className="whitespace-nowrap">
        {networkNames[chain_type]} <span className="text-xs text-muted">{curve}</span>{' '}
        {status === 'archived' && <Badge look="warn">Archived</Badge>}
      </Cell>
      <Cell isEnd className="text-muted">
        <Time at={created_at} />
      </Cell>
    </tr>
  )
}

function NoWallets({ slug }: { slug: string }) {
  return (
    <EmptyState
      icon={WalletIcon}
      title="No wallets yet"
      action={
        <Link to="/o/$slug/quick-start" params={{ slug }} className={`${buttonForm} ${buttonLooks.primary}`}>
          Make the first one
        </Link>
      }
    >
      A wallet appears here as soon as a user makes one in your app, or your backend makes one for a user.
    </EmptyState>
  )
}
