// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.

/** `ActionKind` of the API. */
export type ActionKind = 'transfer' | 'approval' | 'call' | 'admin' | 'unknown'

/** `AuthProvider` of the API. */
export type AuthProvider = 'service' | 'oidc'

/** `BroadcastedTx` of the API. */
export type BroadcastedTx = {
  chain: string
  chain_id: string
  tx_hash: string
}

/** `BuiltOperation` of the API. */
export type BuiltOperation = {
  sender: string
  nonce: string
  factory?: string
  factoryData?: string
  callData: string
  callGasLimit: string
  verificationGasLimit: string
  preVerificationGas: string
  maxFeePerGas: string
  maxPriorityFeePerGas: string
  /** keccak-256 of `paymasterAndData`, which is added when you submit. Absent when the account pays. */
  paymasterAndDataHash?: string
}

/** `BuiltUserOp` of the API. */
export type BuiltUserOp = {
  /** The owner signs it as an EIP-191 message of 32 bytes. */
  user_op_hash: string
  user_operation: BuiltOperation
  /** The client's preview if it sent one, otherwise the server's. */
  preview: SignPreview | ClientPreview
  /** The server's own, decoded from the calls. */
  decoded_preview: SignPreview
  /** When it can no longer be submitted. */
  expires_at: string
}

/** `Chain` of the API. */
export type Chain = {
  handle: string
  network: NetworkName
  curve: Curve
  chain_id: number | string | null
  caip2: string
  native_asset: {
    symbol: string
    decimals: number
  }
  rpc: boolean
  bundler: boolean
}

/** `Chains` of the API. */
export type Chains = {
  items: Array<Chain>
}

/** `ClientPreview` of the API. */
export type ClientPreview = {
  title?: string
  chain?: string | null
  from?: string | null
  actions?: Array<{
    kind?: ActionKind
    to?: string | null
    /** Native symbol or token id. */
    asset?: string | null
    /** In the smallest unit. */
    amount?: string | null
    amount_display?: string | null
    method?: string | null
    args?: unknown
  }>
  /** The worst case. */
  fee?: {
    asset: string
    amount: string
  } | null
  warnings?: Array<string>
  expires_at?: string | null
}

/** `Curve` of the API. */
export type Curve = 'secp256k1' | 'ed25519'

/** `ExportedKey` of the API. */
export type ExportedKey = {
  wallet_id: string
  curve: Curve
  enc: P256Point
  /** The sealed key (32 bytes) and its tag, in base64. */
  ciphertext: string
}

/** `Identity` of the API. */
export type Identity = {
  organization_id: string
  user_identity_id: string
  auth_provider: AuthProvider
  provider_user_id: string
  email: string | null
  supported_networks: Array<NetworkName>
  signing_mode: SigningMode
}

/** `KeyExport` of the API. */
export type KeyExport = {
  export_id: string
  wallet_id: string
  state: 'open' | 'delayed' | 'completed' | 'locked' | 'expired'
  /** When the same code works again, if the device has to wait (`delayed`); null otherwise. */
  ready_at: string | null
  expires_at: string
}

/** `KeyExportStart` of the API. */
export type KeyExportStart = {
  export_id: string
  expires_at: string
}

/** `KeyImportStart` of the API. */
export type KeyImportStart = {
  import_id: string
  /** The id of the wallet to be created. */
  wallet_id: string
  enclave_public_key: P256Point
  /** Attestation document in the AWS Nitro format: `public_key` is the enclave key, `nonce` the 16 bytes of the wallet id, `user_data` the text `symbolon enclave import v1` and the associated data. */
  attestation: string
  expires_at: string
}

/** `Login` of the API. */
export type Login = {
  token: string
  user_identity_id: string
  email: string
}

/** `NetworkName` of the API. */
export type NetworkName = 'evm' | 'bitcoin' | 'tron' | 'cosmos' | 'solana' | 'near' | 'aptos' | 'stellar'

/** Uncompressed point of P-256 (65 bytes), base64. */
export type P256Point = string

/** `PolicyDecision` of the API. */
export type PolicyDecision = {
  outcome: 'allowed' | 'rejected'
  reason: PolicyReason | null
  layer: PolicyLayer | null
  rule: string | null
  limit: string | null
  actual: string | null
  method: 'signMessage' | 'sendTransaction'
  effects: Array<{
    kind: 'transfer' | 'approval' | 'call' | 'admin' | 'unknown'
    asset: string | null
    amount: string | null
    to: string | null
  }>
  checks: Array<{
    rule: string
    layer: PolicyLayer
    limit: string | null
    actual: string | null
    passed: boolean
  }>
  spends: Array<{
    asset: string
    amount: string
    remaining: string | null
  }>
}

/** `PolicyLayer` of the API. */
export type PolicyLayer = 'organization' | 'agent' | 'session'

/** `PolicyReason` of the API. */
export type PolicyReason =
  | 'per_tx_cap_exceeded'
  | 'total_cap_exceeded'
  | 'chain_not_allowed'
  | 'method_not_allowed'
  | 'recipient_not_allowed'
  | 'token_not_allowed'
  | 'token_cap_exceeded'
  | 'contract_call_not_allowed'
  | 'fee_cap_exceeded'
  | 'tx_count_exceeded'
  | 'chain_blocked'
  | 'recipient_blocked'
  | 'org_per_tx_cap_exceeded'
  | 'org_total_cap_exceeded'
  | 'token_transfers_disabled'
  | 'raw_hash_not_allowed'
  | 'approval_not_allowed'
  | 'contract_creation_not_allowed'
  | 'account_admin_not_allowed'
  | 'authorization_not_allowed'
  | 'typed_data_not_allowed'
  | 'sign_in_not_allowed'
  | 'message_not_allowed'
  | 'message_is_transaction'
  | 'payload_undecodable'
  | 'wallet_archived'
  | 'wallet_mismatch'

/** `PreparedTx` of the API. */
export type PreparedTx = {
  chain: string
  chain_id: string
  /** The next nonce, counting pending transactions. */
  nonce: string
  from: string
  to: string
  data: string
  value: string
  gas_limit: string
  max_fee_per_gas: string
  max_priority_fee_per_gas: string
}

/** `ProviderShare` of the API. */
export type ProviderShare = {
  wallet_id: string
  provider_share: string
  share_index: number
}

/** `ReceiptPage` of the API. */
export type ReceiptPage = {
  items: Array<{
    /** Dense in the organization, from 1. */
    cursor: number
    receipt_id: string
    wallet_id: string
    kid: string
    /** Rises by one per receipt key and organization. `receipt.voided` in the audit log reports a number that is missing. */
    counter: number
    issued_at: string
    /** The receipt: a compact JWS. */
    receipt: string
  }>
  /** The cursor of the last item; `after` where there is none. */
  last: number
  has_more: boolean
}

/** `RecoveredShares` of the API. */
export type RecoveredShares = {
  wallet_id: string
  provider_share: string
  recovery_share: string
  polynomial_version: number
}

/** `RecoveryProcess` of the API. */
export type RecoveryProcess = {
  recovery_process_id: string
  wallet_id: string
  state: RecoveryState
  /** When the same code works again, if the device has to wait (`delayed`); null otherwise. */
  ready_at: string | null
  expires_at: string
}

/** `RecoveryStart` of the API. */
export type RecoveryStart = {
  recovery_process_id: string
}

/** `RecoveryState` of the API. */
export type RecoveryState = 'open' | 'delayed' | 'verified' | 'completed' | 'locked' | 'expired'

/** `SignPreview` of the API. */
export type SignPreview = {
  title: string
  chain?: string | null
  from?: string | null
  actions: Array<{
    kind: ActionKind
    to?: string | null
    /** Native symbol or token id. */
    asset?: string | null
    /** In the smallest unit. */
    amount?: string | null
    amount_display?: string | null
    method?: string | null
    args?: unknown
  }>
  /** The worst case. */
  fee?: {
    asset: string
    amount: string
  } | null
  warnings: Array<string>
  expires_at?: string | null
}

/** `SignResponse` of the API. */
export type SignResponse = {
  wallet_id: string
  /** The wallet's address on the signing network; with `smart_account` that of the account. */
  address: string
  public_key: string
  curve: Curve
  chain: string
  type: 'message' | 'typed_data' | 'transaction' | 'hash' | 'user_operation' | 'authorization'
  /** Absent with `dry_run`. */
  signature?: string
  /** Of `signature`. */
  encoding?: 'hex' | 'base64'
  r?: string
  s?: string
  v?: number
  y_parity?: number
  signature_base58?: string
  signed_transaction?:
    | string
    | {
        raw_data_hex: string
        signature: Array<string>
        txID: string
      }
  transaction_hash?: string
  /** The exact bytes that were hashed or signed. */
  signed_payload?: string
  /** Aptos: the text that was signed. */
  full_message?: string
  nonce?: string
  recipient?: string
  callback_url?: string
  application_domain?: string
  /** The client's preview if it sent one, otherwise the server's. */
  preview: SignPreview | ClientPreview
  /** Always the server's own. */
  decoded_preview: SignPreview
  /** Agents, with `dry_run`: the whole evaluation. */
  decision?: PolicyDecision
  /** The receipt: a compact JWS (EdDSA) that the enclave signed, stored before the signature left. Verify it with `node verify.js receipt` (guide: Verify the enclave). */
  receipt?: string
}

/** `SigningMode` of the API. */
export type SigningMode = 'client' | 'tee'

/** `SmartAccount` of the API. */
export type SmartAccount = {
  id: string
  wallet_id: string
  chain: string
  chain_id: number
  factory: string
  entry_point: string
  address: string
  /** The wallet's own EVM address. */
  owner_address: string
  /** Whether the account has code on the chain. The first operation deploys it. */
  deployed: boolean
  sponsor_policy: SponsorPolicy
  /** `owner` means your backend. */
  created_by: 'end_user' | 'owner'
  created_at: string
}

/** `SmartAccounts` of the API. */
export type SmartAccounts = {
  items: Array<SmartAccount>
}

/** `SponsorPolicy` of the API. */
export type SponsorPolicy = {
  /** Whether this installation sponsors gas on the chain. */
  sponsored: boolean
  /** Per wallet, across all chains. */
  monthly_cap_eur: string
  /** Settled and reserved in `period`, across all chains. */
  spent_eur: string
  /** The calendar month in UTC. */
  period: string
}

/** `UserOpStatus` of the API. */
export type UserOpStatus = {
  user_op_hash: string
  chain: string
  chain_id: number
  sender: string
  status: 'submitted' | 'confirmed' | 'failed'
  transaction_hash: string | null
  block_number: number | null
  /** Whether its calls succeeded. Null until it is included. */
  success: boolean | null
  /** Why it failed: the revert reason, the bundler’s refusal, `expired` or `replaced`. */
  reason: string | null
  actual_gas_cost_wei: string | null
  /** At the price when it was built. Sponsored operations only. */
  actual_gas_cost_eur: string | null
  sponsored: boolean
  submitted_at: string
  /** When it had enough confirmations. */
  confirmed_at: string | null
}

/** `Wallet` of the API. */
export type Wallet = {
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
}

/** `WalletStatus` of the API. */
export type WalletStatus = 'active' | 'archived'

/** `Wallets` of the API. */
export type Wallets = Array<Wallet>
