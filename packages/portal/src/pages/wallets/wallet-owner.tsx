import type { Answer } from '../../data/portal-client.ts'
import { Notice } from '../../ui/notice.tsx'

/** A wallet with its user. */
export type Wallet = Answer<'GET /v1/orgs/{orgID}/wallets'>['items'][number]

/** The name of a wallet's user: the email address, or the ID from the backend or identity provider. */
export const ownerName = ({ identity }: Pick<Wallet, 'identity'>): string =>
  identity.email ?? identity.provider_user_id

/** A wallet in two lines: its user and its address. */
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

/** Warns that an end user can sign with a wallet too, without limits; renders nothing if its user has no email address. */
export function OwnerWarning({ wallet }: { wallet: Wallet }) {
  const { email, auth_provider } = wallet.identity
  if (email === null) return null
  return (
    <Notice look="warn" title={`This wallet belongs to ${email}`}>
      {auth_provider === 'service'
        ? 'Anyone with access to that mailbox can log in'
        : 'Anyone who logs in with that address at your identity provider gets access'}{' '}
      and sign with this wallet, without the agent’s limits. Give an agent its own wallet instead: create it
      from your backend with a <code className="font-mono text-xs">provider_user_id</code> instead of an email
      address.
    </Notice>
  )
}
