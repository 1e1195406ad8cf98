// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { AuthProvider, NetworkName, PolicyLayer, SigningMode } from './answers.ts'
import type { AgentMethod, AllowedContract, AllowedToken, AssetCap, TokenMode } from './backend-answers.ts'

/** `Agent` of the API. */
export type Agent = {
  id: string
  organization_id: string
  wallet_id: string
  status: 'active' | 'archived'
  name: string
  description: string
  runner: RunnerName
  /** `{{objective}}` stands for the objective. Text from outside is data, never instructions. */
  objective_template: string
  policy: AgentPolicy
  skills: Array<AgentSkill>
  /** The session of the agent’s own runs, with its own budget. */
  session_id: string
  /** Its A2A endpoint. */
  endpoint_url: string
  created_at: string
  updated_at: string
  archived_at: string | null
}

/** `AgentEvent` of the API. */
export type AgentEvent = {
  id: string
  timestamp: string
  session_id: string
  run_id: string | null
  chain: string | null
  /** `signMessage` or `sendTransaction`. */
  method: string | null
  /** From the first effect. */
  target: string | null
  /** The total native value, without the fee. */
  value: string | null
  /** The fee in the worst case, in the native asset. Null where the wallet pays none. */
  fee: string | null
  asset: string | null
  outcome: 'allowed' | 'rejected' | 'error'
  reason_code: string | null
  layer: PolicyLayer | null
  payload_sha256: string | null
  tx_hash: string | null
}

/** `AgentEventPage` of the API. */
export type AgentEventPage = {
  items: Array<AgentEvent>
  total: number
  limit: number
  offset: number
}

/** `AgentHook` of the API. */
export type AgentHook = {
  id: string
  agent_id: string
  name: string
  style: HookStyle
  objective_template: string
  url: string
  secret_hint: string
  created_at: string
  last_delivery_at: string | null
}

/** `AgentHookWithSecret` of the API. */
export type AgentHookWithSecret = {
  id: string
  agent_id: string
  name: string
  style: HookStyle
  objective_template: string
  url: string
  secret_hint: string
  created_at: string
  last_delivery_at: string | null
  /** `whsec_…`, shown once. */
  secret: string
}

/** `AgentHooks` of the API. */
export type AgentHooks = {
  items: Array<AgentHook>
}

/** `AgentPage` of the API. */
export type AgentPage = {
  items: Array<Agent>
  total: number
  limit: number
  offset: number
}

/** `AgentPolicy` of the API. */
export type AgentPolicy = {
  /** The most native value that one payload may move, in the smallest unit (wei, lamports, satoshi), without its fee. */
  max_spend_per_tx_native?: string
  /** The most that one payload may move of each native asset listed, in addition to the cap for all. Assets are named as in `spent` (`ETH`, `BTC`). */
  max_spend_per_tx?: Array<AssetCap>
  /** The most that all payloads together may spend, value and fees in the worst case, over the whole life of the session, per native asset. */
  max_spend_total_native?: string
  /** The most that all payloads together may spend of each native asset listed, value and fees, in addition to the cap for all. */
  max_spend_total?: Array<AssetCap>
  /** Handles of chains, as `GET /v1/chains` lists them. Empty: none. */
  allowed_chains?: Array<string>
  /** `signMessage`: messages, typed data and hashes; `sendTransaction`: transactions and operations. Empty: nothing. */
  allowed_methods?: Array<AgentMethod>
  /** Who may receive anything, on any network. For a token transfer, that is the decoded recipient; for vaults, withdrawals and swaps, it is whoever receives the shares or tokens. Missing: everyone. Empty: no one. An entry that isn’t an address on any network is `invalid_request`. */
  allowed_recipients?: Array<string>
  /** Tokens that may be spent, each with its own caps. Missing in all layers: no token, unless the organization’s `token_mode` is `any`. A token that isn’t valid on its chain is `invalid_request`. */
  allowed_tokens?: Array<AllowedToken>
  /** Contracts that may be called, and with which methods. Missing in all layers: none. A contract that isn’t valid on its chain is `invalid_request`. */
  allowed_contracts?: Array<AllowedContract>
  /** The highest fee that one transaction may cost in the worst case, in the smallest unit. Fees also count against the totals. Missing in all layers: the chain’s ceiling, such as 0.05 ETH on Ethereum. */
  max_fee_per_tx_native?: string
  /** The number of transactions and operations, over the whole life of the session. Missing: no limit. */
  max_tx_count?: number
  /** Where the agent may log in with a signed message (Sign-In with Ethereum or Solana): hosts with an optional port, without scheme or path, as the message names them. Missing in all layers: nowhere. */
  allowed_sign_in_domains?: Array<string>
  /** When the session ends and signs nothing any more: RFC 3339, with a time zone. */
  expires_at?: string
}

/** `AgentRun` of the API. */
export type AgentRun = {
  id: string
  organization_id: string
  agent_id: string
  session_id: string
  parent_run_id: string | null
  state: AgentRunState
  source: 'a2a' | 'hook' | 'portal' | 'delegation'
  objective: string
  result: unknown
  error: string | null
  depth: number
  steps: number
  created_at: string
  updated_at: string
  ended_at: string | null
}

/** `AgentRunDetail` of the API. */
export type AgentRunDetail = {
  id: string
  organization_id: string
  agent_id: string
  session_id: string
  parent_run_id: string | null
  state: AgentRunState
  source: 'a2a' | 'hook' | 'portal' | 'delegation'
  objective: string
  result: unknown
  error: string | null
  depth: number
  steps: number
  created_at: string
  updated_at: string
  ended_at: string | null
  journal: Array<AgentRunStep>
  children: Array<string>
}

/** `AgentRunPage` of the API. */
export type AgentRunPage = {
  items: Array<AgentRunSummary>
  total: number
  limit: number
  offset: number
}

/** `AgentRunState` of the API. */
export type AgentRunState =
  | 'queued'
  | 'running'
  | 'awaiting_delegate'
  | 'awaiting_input'
  | 'awaiting_approval'
  | 'completed'
  | 'failed'
  | 'canceled'

/** `AgentRunStep` of the API. */
export type AgentRunStep = {
  seq: number
  /** `think`, `tool`, `note`, `result`, `delegate`, `ask`, `resume` or `end`. */
  kind: string
  tool: string | null
  input: unknown
  output: unknown
  created_at: string
}

/** `AgentRunSummary` of the API. */
export type AgentRunSummary = {
  id: string
  organization_id: string
  agent_id: string
  session_id: string
  parent_run_id: string | null
  state: AgentRunState
  source: 'a2a' | 'hook' | 'portal' | 'delegation'
  objective: string
  result: unknown
  error: string | null
  depth: number
  steps: number
  created_at: string
  updated_at: string
  ended_at: string | null
  /** The fields that are cut here. The run has the whole text. */
  truncated: Array<'objective' | 'result'>
}

/** `AgentSkill` of the API. */
export type AgentSkill = {
  id: string
  name: string
  description: string
  tags?: Array<string>
  examples?: Array<string>
}

/** `ApiKey` of the API. */
export type ApiKey = {
  id: string
  name: string
  type: 'publishable' | 'secret'
  /** For secret keys only. */
  scope: 'full' | 'read' | null
  /** Prefix and last four characters of the key. */
  hint: string
  ip_allowlist: Array<string>
  expires_at: string | null
  revoked_at: string | null
  created_at: string
}

/** `ApiKeys` of the API. */
export type ApiKeys = {
  items: Array<ApiKey>
}

/** `AuditCheckpoint` of the API. */
export type AuditCheckpoint = {
  tree_size: number
  root_hash: string
  timestamp: string
  /** Ed25519 over the text of `note`, by a key of the JWKS. */
  signature: string
  note: string
}

/** `AuditConsistency` of the API. */
export type AuditConsistency = {
  from_size: number
  tree_size: number
  from_root_hash: string
  root_hash: string
  hashes: Array<string>
}

/** `AuditEvent` of the API. */
export type AuditEvent = {
  id: string
  timestamp: string
  organization_id: string
  user_identity_id: string | ''
  wallet_id: string | ''
  actor_type: 'end_user' | 'api_key' | 'agent' | 'portal_user' | 'system'
  actor_id: string
  event_type:
    | 'wallet.created'
    | 'wallet.tx_prepared'
    | 'wallet.tx_broadcast'
    | 'recovery.initiated'
    | 'recovery.verified'
    | 'recovery.completed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'org.auth_updated'
    | 'org.settings_updated'
    | 'org.recovery_mode_updated'
    | 'webhook.updated'
    | 'webhook.removed'
    | 'wallet.archived'
    | 'wallet.unarchived'
    | 'wallet.signed'
    | 'wallet.sign_refused'
    | 'wallet.exported'
    | 'wallet.imported'
    | 'provider_share.released'
    | 'user.logged_in'
    | 'user.logged_out'
    | 'agent_session.created'
    | 'agent_session.revoked'
    | 'agent.created'
    | 'agent.archived'
    | 'smart_account.created'
    | 'userop.submitted'
    | 'member.added'
    | 'member.removed'
    | 'audit.gap'
    | 'wallet.shares_refreshed'
    | 'org.created'
    | 'org.signing_mode_updated'
    | 'member.updated'
    | 'agent.updated'
    | 'org.rules_updated'
    | 'agent_hook.created'
    | 'agent_hook.removed'
    | 'agent_hook.secret_rotated'
    | 'audit.restored'
    | 'recovery.canceled'
    | 'export.canceled'
    | 'receipt.voided'
    | 'enclave.marks_stored'
  payload: { [name: string]: unknown }
  success: boolean
  /** Empty on success. */
  error_code: string
}

/** `AuditPage` of the API. */
export type AuditPage = {
  items: Array<AuditEvent>
  total: number
  limit: number
  offset: number
}

/** `AuditProof` of the API. */
export type AuditProof = {
  leaf_index: number
  tree_size: number
  root_hash: string
  hashes: Array<string>
}

/** `AuthConfig` of the API. */
export type AuthConfig =
  | {
      mode: 'service'
    }
  | {
      mode: 'oidc'
      issuer: string
      audience: string
      /** Vouches for the addresses of an issuer whose tokens have no `email_verified`. Otherwise an address counts only with `email_verified: true`. */
      trust_email?: boolean
    }

/** `EndUser` of the API. */
export type EndUser = {
  user_identity_id: string
  auth_provider: AuthProvider
  provider_user_id: string
  email: string | null
  /** The number of wallets, archived ones included. */
  wallets: number
  created_at: string
}

/** `EndUserPage` of the API. */
export type EndUserPage = {
  items: Array<EndUser>
  total: number
  limit: number
  offset: number
}

/** `HookStyle` of the API. */
export type HookStyle = 'standard' | 'stripe' | 'github'

/** `Member` of the API. */
export type Member = {
  id: string
  user_id: string
  email: string
  name: string
  role: MemberRole
  is_invited: boolean
  created_at: string
}

/** `MemberRole` of the API. */
export type MemberRole = 'viewer' | 'developer' | 'admin' | 'owner'

/** `Members` of the API. */
export type Members = {
  items: Array<Member>
}

/** `MintedApiKey` of the API. */
export type MintedApiKey = {
  id: string
  name: string
  type: 'publishable' | 'secret'
  /** For secret keys only. */
  scope: 'full' | 'read' | null
  /** Prefix and last four characters of the key. */
  hint: string
  ip_allowlist: Array<string>
  expires_at: string | null
  revoked_at: string | null
  created_at: string
  key: string
}

/** `Organization` of the API. */
export type Organization = {
  id: string
  name: string
  slug: string
  country: string
  logo_url: string | null
  brand_color: string | null
  support_email: string | null
  allowed_origins: Array<string>
  auth_config: AuthConfig
  recovery_mode: RecoveryMode
  signing_mode: SigningMode
  supported_networks: Array<NetworkName>
  /** Client mode: whether users confirm each signature in the wallet frame. */
  sign_confirmation: boolean
  /** Whether users may export the private keys of their wallets. */
  export_enabled: boolean
  /** How many seconds recoveries and exports from a device that is new to the user wait after the right code, so that the user can cancel them from an email. 0 to 259200 (three days). */
  high_risk_delay_seconds: number
  /** Client addresses (CIDR) that are exempt from the limits of login codes per client address, such as an office or a backend that logs users in. Only an owner can change them. */
  trusted_clients: Array<string>
  /** TEE mode: whether every signature has a receipt, also those of agents, runs and operations, and whatever a request says. */
  receipts: boolean
  role: MemberRole
  created_at: string
  updated_at: string
}

/** `OrganizationRules` of the API. */
export type OrganizationRules = {
  /** Handles of chains on which no agent may sign. */
  blocked_chains?: Array<string>
  /** Accounts, contracts and tokens of any network. Text that can name none of these is refused with `invalid_request`. */
  blocked_recipients?: Array<string>
  /** The most native value that one payload may move, for every agent, in the smallest unit, without its fee. */
  max_native_per_tx_cap?: string
  /** The most that all payloads may spend, value and fees, per session and native asset. */
  max_native_total_cap?: string
  /** The highest fee that one transaction of any agent may cost in the worst case, in the smallest unit. */
  max_fee_per_tx_native_cap?: string
  /** Which tokens may move. Default `allowlist`. */
  token_mode?: TokenMode
  /** Whether agents may sign bare hashes. Default `false`. */
  allow_raw_hash?: boolean
  /** The longest that a session may live. A session minted for longer is clipped. */
  max_session_ttl_seconds?: number
}

/** `Organizations` of the API. */
export type Organizations = {
  items: Array<Organization>
}

/** `PortalSession` of the API. */
export type PortalSession = {
  user: {
    id: string
    email: string
    name: string
  }
  expires_at: string
}

/** `RecoveryMode` of the API. */
export type RecoveryMode = 'customer_managed' | 'service_managed'

/** `RunnerName` of the API. */
export type RunnerName = 'intent' | 'llm' | 'scripted'

/** `StoredRules` of the API. */
export type StoredRules = {
  rules: OrganizationRules
  updated_at: string | null
}

/** `Usage` of the API. */
export type Usage = {
  items: Array<{
    day: string
    wallets_created: number
    /** TEE mode: signatures by network. Networks without any are absent. */
    signatures: { [name: string]: number }
    /** Client mode: provider shares released to browsers, one per signature. */
    share_releases: number
    /** Gas of included operations, on the day they were confirmed. */
    sponsored_eur: string
    /** Refused signatures (`wallet.sign_refused`). */
    refusals: number
    /** All other events with `success: false`. */
    errors: number
  }>
  totals: {
    wallets_created: number
    /** TEE mode: signatures by network. Networks without any are absent. */
    signatures: { [name: string]: number }
    /** Client mode: provider shares released to browsers, one per signature. */
    share_releases: number
    /** Gas of included operations, on the day they were confirmed. */
    sponsored_eur: string
    /** Refused signatures (`wallet.sign_refused`). */
    refusals: number
    /** All other events with `success: false`. */
    errors: number
  }
  from: string
  to: string
}

/** `Webhook` of the API. */
export type Webhook = {
  url: string
  encryption_key: { [name: string]: unknown } | null
  created_at: string
  updated_at: string
}

/** `WebhookDeliveries` of the API. */
export type WebhookDeliveries = {
  items: Array<WebhookDelivery>
}

/** `WebhookDelivery` of the API. */
export type WebhookDelivery = {
  id: string
  /** The `webhook-id` that the receiver got. */
  message_id: string
  type: string
  at: string
  delivered: boolean
  status: number | null
  error: string | null
  duration_ms: number
}

/** `WebhookTest` of the API. */
export type WebhookTest = {
  delivered: boolean
  status: number | null
  error: string | null
}

/** `WebhookWithSecret` of the API. */
export type WebhookWithSecret = {
  url: string
  encryption_key: { [name: string]: unknown } | null
  created_at: string
  updated_at: string
  /** Null where the webhook was there: it keeps its secret. */
  signing_secret: string | null
}
