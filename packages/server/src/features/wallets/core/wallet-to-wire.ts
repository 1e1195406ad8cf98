import type { WalletWithIdentity, Wallet as WireWallet } from '@symbolon/api'
import type { Wallet, WalletAndOwner } from './wallet.ts'

/** A wallet as users read it. */
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

/** A wallet with its owner, as backends read it. */
export const walletWithIdentityToWire = ({ wallet, owner }: WalletAndOwner): WalletWithIdentity => ({
  ...walletToWire(wallet),
  identity: {
    user_identity_id: wallet.userIdentityId,
    auth_provider: owner.authProvider,
    provider_user_id: owner.providerUserId,
    email: owner.email,
  },
})
