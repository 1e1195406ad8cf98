import type { NetworkName, WalletWithIdentity, Wallet as WireWallet } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'

/** A wallet as its row has it, without shares. */
export type Wallet = {
  id: string
  organizationId: string
  userIdentityId: string
  curve: Curve
  chainType: NetworkName
  address: string
  addresses: Record<string, string>
  publicKey: Uint8Array
  status: 'active' | 'archived'
  signingMode: 'client' | 'tee'
  polynomialVersion: number
  createdAt: Date
  updatedAt: Date
  archivedAt: Date | null
}

/** The owner beside a wallet. */
export type Owner = {
  authProvider: 'service' | 'oidc'
  providerUserId: string
  email: string | null
}

/** The wallet of the wire (decisions.md 4). */
export const walletToWire = (wallet: Wallet): WireWallet => ({
  id: wallet.id,
  organization_id: wallet.organizationId,
  user_identity_id: wallet.userIdentityId,
  curve: wallet.curve,
  chain_type: wallet.chainType,
  account_type: 'eoa',
  address: wallet.address,
  addresses: wallet.addresses,
  public_key: `0x${Buffer.from(wallet.publicKey).toString('hex')}`,
  status: wallet.status,
  signing_mode: wallet.signingMode,
  polynomial_version: wallet.polynomialVersion,
  created_at: wallet.createdAt.toISOString(),
  updated_at: wallet.updatedAt.toISOString(),
  archived_at: wallet.archivedAt?.toISOString() ?? null,
})

/** The wallet of the wire with its owner, as backends read it. */
export const walletWithIdentityToWire = (wallet: Wallet, owner: Owner): WalletWithIdentity => ({
  ...walletToWire(wallet),
  identity: {
    user_identity_id: wallet.userIdentityId,
    auth_provider: owner.authProvider,
    provider_user_id: owner.providerUserId,
    email: owner.email,
  },
})
