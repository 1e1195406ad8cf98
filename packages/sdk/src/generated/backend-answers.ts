// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { AuthProvider, Curve, NetworkName, SigningMode, WalletStatus } from './answers.ts'
import type { ErrorCode } from './error-code.ts'

/** `BatchResult` of the API. */
export type BatchResult = {
  /** The HTTP status the item would have had alone. */
  status: number
  data: WalletWithIdentity | null
  error: Error | null
}

/** `BatchResults` of the API. */
export type BatchResults = {
  items: Array<BatchResult>
}

/** `Error` of the API. */
export type Error = {
  code: ErrorCode
  /** Written for the end user. */
  message: string
  details?: unknown
}

/** `Owner` of the API. */
export type Owner = {
  user_identity_id: string
  auth_provider: AuthProvider
  provider_user_id: string
  email: string | null
}

/** `WalletPage` of the API. */
export type WalletPage = {
  items: Array<WalletWithIdentity>
  total: number
  limit: number
  offset: number
}

/** `WalletWithIdentity` of the API. */
export type WalletWithIdentity = {
  id: string
  organization_id: string
  user_identity_id: string
  curve: Curve
  chain_type: NetworkName
  account_type: 'eoa'
  /** The address on the network that `chain_type` names. */
  address: string
  /** Every address of the key by name: `evm`, `bitcoin`, `bitcoin_taproot`, `solana` and so on. */
  addresses: { [name: string]: string }
  /** Compressed (33 bytes) for secp256k1, 32 bytes for ed25519. */
  public_key: string
  status: WalletStatus
  signing_mode: SigningMode
  /** Rises when recovery rotates the key material. */
  polynomial_version: number
  created_at: string
  updated_at: string
  archived_at: string | null
  identity: Owner
}
