import { networkNames } from '@symbolon/networks/names'
import { SymbolonError } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, ArchiveRestore, ScrollText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { type Answer, portalClient } from '../../data/portal-client.ts'
import { walletQuery } from '../../data/queries.ts'
import { useAction } from '../../data/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonForm, buttonLooks } from '../../ui/button.tsx'
import { Mono } from '../../ui/code.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { WalletAgents } from './wallet-agents.tsx'

type Wallet = Answer<'GET /v1/orgs/{orgID}/wallets/{walletID}'>

/** One wallet at the side of the list: all of its addresses, whose it is, and the archive. */
export function WalletDialog({
  id,
  onClose,
  onUser,
}: {
  id: string
  onClose: () => void
  onUser: (id: string) => void
}) {
  const { id: orgID, slug } = useOrganization()
  const { data: wallet, error, refetch } = useQuery(walletQuery(orgID, id))
  const isUnknown = error instanceof SymbolonError && error.status === 404
  return (
    <Dialog
      form="side"
      title="Wallet"
      text={wallet === undefined ? undefined : (wallet.identity.email ?? wallet.identity.provider_user_id)}
      onClose={onClose}
    >
      {isUnknown ? (
        <Notice title="There is no wallet with this id.">
          It may be the id of a user.
          <div className="mt-2">
            <Button onClick={() => onUser(id)}>Show the wallets of this user</Button>
          </div>
        </Notice>
      ) : (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      )}
      {wallet !== undefined && (
        <>
          <Facts wallet={wallet} onUser={() => onUser(wallet.user_identity_id)} />
          {wallet.signing_mode === 'tee' && <WalletAgents walletId={wallet.id} />}
          <div className="flex flex-wrap gap-2">
            <Link
              to="/o/$slug/audit"
              params={{ slug }}
              search={{ wallet_id: wallet.id }}
              className={`${buttonForm} ${buttonLooks.secondary}`}
            >
              <ScrollText className="size-4" aria-hidden="true" /> Its events
            </Link>
            <ArchiveButton wallet={wallet} />
          </div>
        </>
      )}
    </Dialog>
  )
}

function Facts({ wallet, onUser }: { wallet: Wallet; onUser: () => void }) {
  return (
    <dl className="flex flex-col divide-y divide-line">
      <Fact name="Status">
        {wallet.status === 'active' ? <Badge look="good">Active</Badge> : <Badge look="warn">Archived</Badge>}
        {wallet.archived_at !== null && (
          <span className="text-xs text-muted">
            since <ExactTime at={wallet.archived_at} />
          </span>
        )}
      </Fact>
      {Object.entries(wallet.addresses).map(([name, address]) => (
        <Fact key={name} name={addressName(name)}>
          <Mono text={address} what={`${addressName(name)} address`} />
        </Fact>
      ))}
      <Fact name="User">
        <button type="button" onClick={onUser} className="truncate text-accent hover:underline">
          {wallet.identity.email ?? wallet.identity.provider_user_id}
        </button>
      </Fact>
      <Fact name="Wallet id">
        <Mono text={wallet.id} what="wallet id" />
      </Fact>
      <Fact name="Public key">
        <Mono text={wallet.public_key} what="public key" />
      </Fact>
      <Fact name="Curve">{wallet.curve}</Fact>
      <Fact name="Signs in">
        {wallet.signing_mode === 'tee' ? 'the attested enclave' : 'the user’s browser'}
      </Fact>
      <Fact name="Key material">version {wallet.polynomial_version}</Fact>
      <Fact name="Created">
        <ExactTime at={wallet.created_at} />
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-4 py-1.5 text-sm">
      <dt className="w-32 shrink-0 text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-2 max-sm:basis-full">{children}</dd>
    </div>
  )
}

function ArchiveButton({ wallet: { id, status } }: { wallet: Wallet }) {
  const { id: orgID } = useOrganization()
  const mayChange = useMay('admin')
  const [isAsked, setAsked] = useState(false)
  const isActive = status === 'active'
  const params = { orgID, walletID: id }
  const change = useAction({
    run: (_: undefined) =>
      isActive
        ? portalClient.call('POST /v1/orgs/{orgID}/wallets/{walletID}/archive', { params })
        : portalClient.call('POST /v1/orgs/{orgID}/wallets/{walletID}/unarchive', { params }),
    changes: [
      ['org', orgID, 'wallets'],
      ['org', orgID, 'wallet', id],
    ],
    done: isActive ? 'The wallet is archived.' : 'The wallet signs again.',
    onDone: () => setAsked(false),
  })
  return (
    <>
      <Button
        look={isActive ? 'danger' : 'secondary'}
        disabled={!mayChange}
        title={mayChange ? undefined : 'Admins and owners archive wallets'}
        isBusy={change.isPending && !isAsked}
        icon={
          isActive ? (
            <Archive className="size-4" aria-hidden="true" />
          ) : (
            <ArchiveRestore className="size-4" aria-hidden="true" />
          )
        }
        onClick={() => (isActive ? setAsked(true) : change.mutate(undefined))}
      >
        {isActive ? 'Archive…' : 'Take out of the archive'}
      </Button>
      {!isAsked && <ErrorNotice error={change.error} />}
      {isAsked && (
        <ConfirmDialog
          title="Archive this wallet?"
          action="Archive"
          isBusy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(undefined)}
          onClose={() => setAsked(false)}
        >
          From then on nothing signs with it: not the user, not your backend, not an agent. Its key and its
          funds stay, and it can be taken out again.
        </ConfirmDialog>
      )}
    </>
  )
}

function addressName(name: string): string {
  const known = (networkNames as Record<string, string | undefined>)[name]
  return known ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}
