import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import { walletQuery, walletsQuery } from '../../data/queries.ts'
import { CodeBlock } from '../../ui/code.tsx'
import { count } from '../../ui/format.ts'
import { TextLink } from '../../ui/links.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { botWalletSnippet } from '../quick-start/agent-snippets.ts'
import { OwnerWarning, type Wallet, WalletName } from './wallet-owner.tsx'
import { isId, meantBy } from './wallet-search.ts'

const shown = 5

/** Picks a wallet of the enclave from the newest ones or by search, and warns about its owner. */
export function WalletPicker({
  value,
  hint,
  error,
  onChange,
}: {
  value: Wallet | undefined
  hint: string
  error?: string | undefined
  onChange: (wallet: Wallet) => void
}) {
  const [text, setText] = useState('')
  const { items, total, failure, retry } = useFound(text)
  if (text === '' && items?.length === 0) return <NoWallets />
  return (
    <fieldset data-wrong={error === undefined ? undefined : true} className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Wallet</legend>
      <SearchField
        label="Search wallets by email, address or ID"
        placeholder="Email, address or ID"
        value={text}
        onSearch={setText}
      />
      <ErrorNotice error={failure} onRetry={retry} />
      {items === undefined && failure === null && <div className="pulse h-14 rounded-lg bg-sunken" />}
      <Wallets items={items ?? []} value={value} onChange={onChange} />
      <p role="status" className={`text-xs text-pretty ${error === undefined ? 'text-muted' : 'text-bad'}`}>
        {error ?? (items === undefined ? hint : `${foundText(text, items.length, total)} ${hint}`)}
      </p>
      {value !== undefined && <OwnerWarning wallet={value} />}
    </fieldset>
  )
}

/** The wallets as radio buttons; the chosen one stays in the list. */
function Wallets({
  items,
  value,
  onChange,
}: {
  items: readonly Wallet[]
  value: Wallet | undefined
  onChange: (wallet: Wallet) => void
}) {
  const name = useId()
  const isListed = value === undefined || items.some(({ id }) => id === value.id)
  return (
    <div className="flex flex-col divide-y divide-line overflow-hidden rounded-lg border border-line empty:hidden">
      {(isListed ? items : [value, ...items]).map((wallet) => (
        <label
          key={wallet.id}
          className="flex min-w-0 items-center gap-3 bg-surface px-3 py-2 transition has-checked:bg-tint not-has-checked:hover:bg-sunken"
        >
          <input
            type="radio"
            required
            name={name}
            checked={wallet.id === value?.id}
            onChange={() => onChange(wallet)}
            className="size-4 shrink-0 accent-accent"
          />
          <WalletName wallet={wallet} />
        </label>
      ))}
    </div>
  )
}

function foundText(text: string, found: number, total: number): string {
  if (found === 0) return 'No active wallet matches. Enter a full email address, wallet address or ID.'
  if (total <= found) return ''
  return `Showing the ${text === '' ? 'newest' : 'first'} ${found} of ${count(total)}. Search to find others.`
}

/** The active wallets that match a text; an ID may be a wallet's or a user's. */
function useFound(text: string) {
  const { id: orgID } = useOrganization()
  const list = useQuery(
    walletsQuery(orgID, { status: 'active', limit: shown, ...(text !== '' && meantBy(text)) }),
  )
  const own = useQuery({ ...walletQuery(orgID, text.toLowerCase()), enabled: isId(text) })
  const one = own.data?.status === 'active' ? [own.data] : []
  return {
    items: list.data && [...one, ...list.data.items],
    total: one.length + (list.data?.total ?? 0),
    failure: list.error,
    retry: () => void list.refetch(),
  }
}

function NoWallets() {
  const { signing_mode } = useOrganization()
  if (signing_mode === 'client')
    return (
      <Notice look="warn" title="This company has no enclave wallets">
        Its keys sign in users’ browsers. Agents need a company in TEE mode.
      </Notice>
    )
  return (
    <Notice look="warn" title="No wallets yet">
      <p>An agent signs with one wallet, preferably its own. Create it from your backend:</p>
      <div className="my-2">
        <CodeBlock what="call" {...botWalletSnippet({ baseUrl: location.origin, secretKey: 'sk_live_…' })} />
      </div>
      <TextLink to="/o/$slug/quick-start">Follow the quick start</TextLink>
    </Notice>
  )
}
