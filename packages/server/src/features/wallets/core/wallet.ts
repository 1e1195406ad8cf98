import type { NetworkName } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'

/** A row of `wallets`, without shares. */
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

/** The user who owns a wallet. */
export type Owner = {
  authProvider: 'service' | 'oidc'
  providerUserId: string
  email: string | null
}

/** A wallet with its owner. */
export type WalletAndOwner = { wallet: Wallet; owner: Owner }
