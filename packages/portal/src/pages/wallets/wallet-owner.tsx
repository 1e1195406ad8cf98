import type { Answer } from '../../data/portal-client.ts'
import { Notice } from '../../ui/notice.tsx'

/** A wallet with whose it is. */
export type Wallet = Answer<'GET /v1/orgs/{orgID}/wallets'>['items'][number]

/** What people call whose a wallet is: the mail address, or the id that the backend or identity provider gave. */
export const ownerName = ({ identity }: Wallet): string => identity.email ?? identity.provider_user_id

/** A wallet in two lines: whose it is, and its address. */
export function WalletName({ wallet }: { wallet: Wallet }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="truncate text-sm font-medium" title={ownerName(wallet)}>
        {ownerName(wallet)}
      </span>
      <span className="truncate font-mono text-xs text-muted" title={wallet.address}>
        {wallet.address}
      </span>
    </span>
  )
}

/** Says that an end user can sign with a wallet too, past every limit; nothing where its owner cannot log in by mail. */
export function OwnerWarning({ wallet }: { wallet: Wallet }) {
  const { email, auth_provider } = wallet.identity
  if (email === null) return null
  return (
    <Notice look="warn" title={`This is the wallet of ${email}.`}>
      {auth_provider === 'service'
        ? 'Whoever reads that mailbox can sign in'
        : 'Whoever signs in with that address at your identity provider is let in'}{' '}
      and sign with this wallet, outside of every limit. Better give an agent a wallet of its own: one that
      your backend makes with a <code className="font-mono text-xs">provider_user_id</code> in place of an
      e-mail address.
    </Notice>
  )
}
