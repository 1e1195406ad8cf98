import { networkNames } from '@symbolon/networks/names'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Wallet as WalletIcon } from 'lucide-react'
import { useOrganization } from '../../data/organization.tsx'
import type { Query } from '../../data/portal-client.ts'
import { walletsQuery } from '../../data/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterSelect } from '../../ui/field.tsx'
import { PrimaryLink } from '../../ui/links.tsx'
import { List } from '../../ui/list.tsx'
import { NoMatch } from '../../ui/no-match.tsx'
import { Page } from '../../ui/page.tsx'
import { pageQuery } from '../../ui/pagination.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Cell, LinkRow, TimeCell } from '../../ui/table.tsx'
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

/** The company's wallets: search, details, archive. */
export function WalletsPage() {
  const { id: orgID } = useOrganization()
  const { page, wallet } = route.useSearch()
  const navigate = route.useNavigate()
  const filters = useFilters()
  const query = useQuery(walletsQuery(orgID, { ...filters, ...pageQuery(size, page) }))
  const open = (id: string | undefined) =>
    void navigate({
      search: ({ wallet: _, ...before }) => ({ ...before, ...(id !== undefined && { wallet: id }) }),
      resetScroll: false,
    })
  return (
    <Page
      title="Wallets"
      lead="One wallet per user and curve. Archived wallets keep their key, but can’t sign."
    >
      <Filters onOpen={open} />
      <List
        label="Wallets"
        columns={columns}
        query={query}
        size={size}
        empty={<Empty isFiltered={Object.keys(filters).length > 0} />}
      >
        {(one) => <WalletRow key={one.id} wallet={one} onOpen={() => open(one.id)} />}
      </List>
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

/** The filters in the address, as the API takes them. */
function useFilters() {
  const { q = '', status, curve } = route.useSearch()
  return {
    ...(q !== '' && meantBy(q)),
    ...((status === 'active' || status === 'archived') && { status }),
    ...((curve === 'secp256k1' || curve === 'ed25519') && { curve }),
  } satisfies Query<'GET /v1/orgs/{orgID}/wallets'>
}

function Filters({ onOpen }: { onOpen: (id: string) => void }) {
  const { q = '', status, curve } = route.useSearch()
  const navigate = route.useNavigate()
  const set = (changed: { q?: string; status?: string; curve?: string }) =>
    void navigate({ search: ({ page: _, ...before }) => ({ ...before, ...changed }) })
  return (
    <div className="flex flex-wrap gap-2">
      <SearchField
        label="Search wallets"
        placeholder="Email, address or ID"
        value={q}
        // An ID is first tried as a wallet's; its dialog leads on to the user.
        onSearch={(text) => (isId(text) ? onOpen(text.toLowerCase()) : set({ q: text }))}
      />
      <FilterSelect
        label="Status"
        all="All statuses"
        value={status}
        options={[
          ['active', 'Active'],
          ['archived', 'Archived'],
        ]}
        onText={(text) => set({ status: text })}
      />
      <FilterSelect
        label="Curve"
        all="All curves"
        value={curve}
        options={Object.entries(curveNames)}
        onText={(text) => set({ curve: text })}
      />
    </div>
  )
}

function WalletRow({ wallet, onOpen }: { wallet: Wallet; onOpen: () => void }) {
  const { address, chain_type, curve, status, created_at } = wallet
  const user = ownerName(wallet)
  const archived = status === 'archived' && <Badge look="warn">Archived</Badge>
  return (
    <LinkRow>
      <Cell className="w-full max-w-0 md:w-2/5">
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
          {archived}
        </span>
      </Cell>
      <Cell isWide className="max-w-56 truncate">
        {user}
      </Cell>
      <Cell isWide className="whitespace-nowrap">
        {networkNames[chain_type]} <span className="text-xs text-muted">{curve}</span> {archived}
      </Cell>
      <TimeCell isEnd at={created_at} />
    </LinkRow>
  )
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <NoMatch noun="wallets">Enter a full email address, wallet address or ID.</NoMatch>
  return (
    <EmptyState
      icon={WalletIcon}
      title="No wallets yet"
      action={<PrimaryLink to="/o/$slug/quick-start">Create the first one</PrimaryLink>}
    >
      Wallets appear here when users create them in your app or your backend creates them for users.
    </EmptyState>
  )
}
