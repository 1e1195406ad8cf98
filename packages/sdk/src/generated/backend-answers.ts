// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { AuthProvider, Curve, NetworkName, SigningMode, WalletStatus } from './answers.ts'
import type { ErrorCode } from './error-code.ts'

/** `AgentMethod` of the API. */
export type AgentMethod = 'sendTransaction' | 'signMessage'

/** `AgentSession` of the API. */
export type AgentSession = {
  id: string
  organization_id: string
  agent_id: string | null
  wallet_id: string
  name: string
  status: AgentSessionStatus
  /** The last four characters. Null for the session of the agent’s own runs. */
  token_hint: string | null
  max_spend_per_tx_native: string | null
  max_spend_total_native: string | null
  /** For the native asset with the least left. */
  spent_total_native: string
  reserved_native: string
  remaining_native: string | null
  allowed_chains: Array<string> | null
  allowed_methods: Array<AgentMethod> | null
  allowed_recipients: Array<string> | null
  /** Null, only with `token_mode` `any`: every token, without caps. */
  allowed_tokens: Array<AllowedToken> | null
  effective_policy: EffectivePolicy
  /** The fields that another layer limits further than this session asked for. */
  clipped: Array<string>
  /** One row per native asset, then one per token. */
  spent: Array<Spent>
  transactions: {
    count: number
    reserved: number
    max: number | null
  }
  expires_at: string | null
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

/** `AgentSessionPage` of the API. */
export type AgentSessionPage = {
  items: Array<AgentSession>
  total: number
  limit: number
  offset: number
}

/** `AgentSessionStatus` of the API. */
export type AgentSessionStatus = 'active' | 'revoked' | 'expired' | 'exhausted'

/** `AllowedContract` of the API. */
export type AllowedContract = {
  chain: string
  address: string
  /** 4-byte selectors in 0x hex on EVM chains and Tron, method names on Near, CosmWasm and Soroban, `module::function` on Aptos, the first 1, 4 or 8 bytes of the instruction data in 0x hex on Solana. Every method if missing. */
  selectors?: Array<string>
}

/** `AllowedToken` of the API. */
export type AllowedToken = {
  chain: string
  /** ERC-20 address, SPL mint, TRC-20 address or TRC-10 id, `CODE:ISSUER`, denom, fungible-asset metadata address, NEP-141 account. */
  token: string
  /** Per payload. Unlimited if missing. */
  max_per_tx?: string
  /** For all payloads together. Unlimited if missing. */
  max_total?: string
}

/** `AssetCap` of the API. */
export type AssetCap = {
  /** A native asset: `ETH`, `BTC`. */
  asset: string
  /** In the smallest unit. */
  max: string
}

/** `BatchResult` of the API. */
export type BatchResult = {
  /** The HTTP status of the item on its own. */
  status: number
  data: WalletWithIdentity | null
  error: Error | null
}

/** `BatchResults` of the API. */
export type BatchResults = {
  items: Array<BatchResult>
}

/** `EffectivePolicy` of the API. */
export type EffectivePolicy = {
  max_spend_per_tx_native: string | null
  max_spend_per_tx: Array<AssetCap> | null
  max_spend_total_native: string | null
  max_spend_total: Array<AssetCap> | null
  allowed_chains: Array<string> | null
  allowed_methods: Array<AgentMethod> | null
  allowed_recipients: Array<string> | null
  /** Null, only with `token_mode` `any`: every token, without caps. */
  allowed_tokens: Array<AllowedToken> | null
  allowed_contracts: Array<AllowedContract>
  max_fee_per_tx_native: string | null
  max_tx_count: number | null
  allowed_sign_in_domains: Array<string> | null
  expires_at: string | null
  blocked_chains: Array<string>
  blocked_recipients: Array<string>
  token_mode: TokenMode
  allow_raw_hash: boolean
}

/** `Error` of the API. */
export type Error = {
  code: ErrorCode
  /** Written for the end user. */
  message: string
  details?: unknown
}

/** `MintWarning` of the API. */
export type MintWarning = {
  code: 'assets_differ'
  message: string
}

/** `MintedAgentSession` of the API. */
export type MintedAgentSession = {
  id: string
  organization_id: string
  agent_id: string | null
  wallet_id: string
  name: string
  status: AgentSessionStatus
  /** The last four characters. Null for the session of the agent’s own runs. */
  token_hint: string | null
  max_spend_per_tx_native: string | null
  max_spend_total_native: string | null
  /** For the native asset with the least left. */
  spent_total_native: string
  reserved_native: string
  remaining_native: string | null
  allowed_chains: Array<string> | null
  allowed_methods: Array<AgentMethod> | null
  allowed_recipients: Array<string> | null
  /** Null, only with `token_mode` `any`: every token, without caps. */
  allowed_tokens: Array<AllowedToken> | null
  effective_policy: EffectivePolicy
  /** The fields that another layer limits further than this session asked for. */
  clipped: Array<string>
  /** One row per native asset, then one per token. */
  spent: Array<Spent>
  transactions: {
    count: number
    reserved: number
    max: number | null
  }
  expires_at: string | null
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
  /** `as_live_…`, shown once. */
  token: string
  /** Where the policy may not mean what you expect. */
  warnings: Array<MintWarning>
}

/** `Owner` of the API. */
export type Owner = {
  user_identity_id: string
  auth_provider: AuthProvider
  provider_user_id: string
  email: string | null
}

/** `Spent` of the API. */
export type Spent = {
  /** Native symbol, or chain and token. */
  asset: string
  spent: string
  /** Reserved for signatures in progress, or in doubt after a crash. */
  reserved: string
  remaining: string | null
}

/** `TokenMode` of the API. */
export type TokenMode = 'none' | 'allowlist' | 'any'

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
  /** Increases when the shares are replaced. */
  polynomial_version: number
  created_at: string
  updated_at: string
  archived_at: string | null
  identity: Owner
}
