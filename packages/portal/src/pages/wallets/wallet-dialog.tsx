import { networkNames } from '@symbolon/networks/names'
import { SymbolonError } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { Archive, ArchiveRestore, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import { type Answer, portalClient } from '../../data/portal-client.ts'
import { walletQuery } from '../../data/queries.ts'
import { useAction } from '../../data/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RoleButton } from '../../ui/dialog-button.tsx'
import { Fact, Facts, MonoFact, TimeFact } from '../../ui/facts.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { WalletAgents } from './wallet-agents.tsx'
import { ownerName } from './wallet-owner.tsx'

type Wallet = Answer<'GET /v1/orgs/{orgID}/wallets/{walletID}'>

/** One wallet beside the list: its addresses, its user, who signs with it, and the archive. */
export function WalletDialog({
  id,
  onClose,
  onUser,
}: {
  id: string
  onClose: () => void
  onUser: (id: string) => void
}) {
  const query = useQuery(walletQuery(useOrganization().id, id))
  const isUnknown = query.error instanceof SymbolonError && query.error.status === 404
  return (
    <Dialog form="side" title="Wallet" text={query.data && ownerName(query.data)} onClose={onClose}>
      {isUnknown ? (
        <Notice title="No wallet has this ID">
          It may be the ID of a user.
          <div className="mt-2">
            <Button onClick={() => onUser(id)}>Show this user’s wallets</Button>
          </div>
        </Notice>
      ) : (
        <Loaded query={query}>
          {(wallet) => (
            <>
              <WalletFacts wallet={wallet} onUser={() => onUser(wallet.user_identity_id)} />
              {wallet.signing_mode === 'tee' && <WalletAgents walletId={wallet.id} />}
              <div className="flex flex-wrap gap-2">
                <ButtonLink to="/o/$slug/audit" search={{ wallet_id: wallet.id }}>
                  <ScrollText className="size-4" aria-hidden="true" /> View events
                </ButtonLink>
                <ArchiveButton wallet={wallet} />
              </div>
            </>
          )}
        </Loaded>
      )}
    </Dialog>
  )
}

function WalletFacts({ wallet, onUser }: { wallet: Wallet; onUser: () => void }) {
  return (
    <Facts>
      <Fact name="Status">
        {wallet.status === 'active' ? <Badge look="good">Active</Badge> : <Badge look="warn">Archived</Badge>}
        {wallet.archived_at !== null && (
          <span className="text-xs text-muted">
            since <ExactTime at={wallet.archived_at} />
          </span>
        )}
      </Fact>
      {Object.entries(wallet.addresses).map(([name, address]) => (
        <MonoFact key={name} name={addressName(name)} text={address} />
      ))}
      <Fact name="User">
        <button type="button" onClick={onUser} className="truncate text-accent hover:underline">
          {ownerName(wallet)}
        </button>
      </Fact>
      <MonoFact name="Wallet ID" text={wallet.id} />
      <MonoFact name="Public key" text={wallet.public_key} />
      <Fact name="Curve">{wallet.curve}</Fact>
      <Fact name="Signs in">
        {wallet.signing_mode === 'tee' ? 'The attested enclave' : 'The user’s browser'}
      </Fact>
      <Fact name="Key shares">Version {wallet.polynomial_version}</Fact>
      <TimeFact name="Created" at={wallet.created_at} />
    </Facts>
  )
}

function ArchiveButton({ wallet: { id, status } }: { wallet: Wallet }) {
  const { id: orgID } = useOrganization()
  const [isAsked, setAsked] = useState(false)
  const isActive = status === 'active'
  const params = { orgID, walletID: id }
  const change = useAction({
    run: () =>
      isActive
        ? portalClient.call('POST /v1/orgs/{orgID}/wallets/{walletID}/archive', { params })
        : portalClient.call('POST /v1/orgs/{orgID}/wallets/{walletID}/unarchive', { params }),
    changes: ['wallets', 'wallet'],
    done: isActive ? 'Wallet archived.' : 'Wallet restored. It can sign again.',
    onDone: () => setAsked(false),
  })
  return (
    <>
      <RoleButton
        needs="admin"
        look={isActive ? 'danger' : 'secondary'}
        isBusy={change.isPending && !isAsked}
        icon={isActive ? Archive : ArchiveRestore}
        onClick={() => (isActive ? setAsked(true) : change.mutate())}
      >
        {isActive ? 'Archive…' : 'Restore'}
      </RoleButton>
      {!isAsked && <ErrorNotice error={change.error} />}
      {isAsked && (
        <ConfirmDialog
          title="Archive this wallet?"
          action="Archive"
          change={change}
          onClose={() => setAsked(false)}
        >
          Nobody can sign with it anymore: not the user, your backend or an agent. It keeps its key and its
          funds, and you can restore it at any time.
        </ConfirmDialog>
      )}
    </>
  )
}

function addressName(name: string): string {
  const known = (networkNames as Record<string, string | undefined>)[name]
  return known ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}
