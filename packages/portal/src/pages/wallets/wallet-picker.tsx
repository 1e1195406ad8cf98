import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import { walletQuery, walletsQuery } from '../../data/queries.ts'
import { CodeBlock } from '../../ui/code.tsx'
import { count } from '../../ui/format.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { botWalletSnippet } from '../quick-start/agent-snippets.ts'
import { OwnerWarning, type Wallet, WalletName } from './wallet-owner.tsx'
import { isId, meantBy } from './wallet-search.ts'

const shown = 5

/** A wallet of the enclave out of however many: the newest ones, and a search; what is to know about its owner is below. */
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
  const name = useId()
  const [text, setText] = useState('')
  const { items, total, failure, retry } = useFound(text)
  if (text === '' && items?.length === 0) return <NoWallets />
  const hasChosen = items?.some(({ id }) => id === value?.id)
  const rows = value === undefined || hasChosen ? items : [value, ...(items ?? [])]
  return (
    <fieldset data-wrong={error === undefined ? undefined : true} className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Wallet</legend>
      <SearchField
        label="Search wallets by e-mail, address or id"
        placeholder="E-mail, address or id"
        value={text}
        onSearch={setText}
      />
      <ErrorNotice error={failure} onRetry={retry} />
      {items === undefined && failure === null && <div className="pulse h-14 rounded-lg bg-sunken" />}
      <div className="flex flex-col divide-y divide-line overflow-hidden rounded-lg border border-line empty:hidden">
        {rows?.map((wallet) => (
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
      <p role="status" className={`text-xs text-pretty ${error === undefined ? 'text-muted' : 'text-bad'}`}>
        {error ?? (items === undefined ? hint : `${foundText(text, items.length, total)} ${hint}`)}
      </p>
      {value !== undefined && <OwnerWarning wallet={value} />}
    </fieldset>
  )
}

function foundText(text: string, found: number, total: number): string {
  if (found === 0) return 'No active wallet matches; all of these are searched in full, not by parts.'
  if (total <= found) return ''
  return `${text === '' ? 'The newest' : 'The first'} ${found} of ${count(total)}; search for another.`
}

/** The active wallets that a text means; an id may be the wallet's own or its user's. */
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
  const { slug, signing_mode } = useOrganization()
  if (signing_mode === 'client')
    return (
      <Notice look="warn" title="There is no wallet of the enclave.">
        This company signs in its users’ browsers; agents need a company in TEE mode.
      </Notice>
    )
  return (
    <Notice look="warn" title="There is no wallet yet.">
      <p>It signs with one wallet, best of its own. Your backend makes it:</p>
      <div className="my-2 text-ink">
        <CodeBlock what="call" {...botWalletSnippet({ baseUrl: location.origin, secretKey: 'sk_live_…' })} />
      </div>
      <Link to="/o/$slug/quick-start" params={{ slug }} className="text-accent underline">
        Go through it in the quick start
      </Link>
    </Notice>
  )
}
